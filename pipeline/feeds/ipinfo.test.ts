import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import type { OpenFile } from '../input/published-source.js';
import { ipinfo } from './ipinfo.js';
import { fileOfBytes, fileOfRows, fixtureFile, sourceText, tryFeed } from './testing/feed-trial.js';

const NAME = 'ipinfo_lite.csv.gz';
const HEADER = 'network,country,country_code,continent,continent_code,asn,as_name,as_domain';
const trial = await tryFeed(ipinfo, [fixtureFile(ipinfo, NAME)]);

function fileOf(t: Test, ...lines: string[]): OpenFile {
  return fileOfRows(t, { feed: ipinfo, name: NAME }, lines);
}

t.test('every row of the fixture is counted, within the tolerance', (t) => {
  const { rows, accepted, rejected } = trial.tally(NAME);
  t.equal(rows, sourceText('ipinfo_lite.csv').trimEnd().split('\n').length - 1);
  t.same({ accepted, rejected }, { accepted: 1105, rejected: 9 });
  t.ok(rejected <= rows * ipinfo.tolerance);
  t.end();
});

t.test('each bad row is rejected with its reason and line', (t) => {
  t.same(trial.rejections(NAME), [
    'address@518',
    'columns@516',
    'columns@517',
    'country@523',
    'encoding@520',
    'family@522',
    'inverted@521',
    'quoting@519',
    'reserved@708',
  ]);
  t.end();
});

t.test('each oddity of an accepted row is noted', (t) => {
  const notes = { duplicate: 1, conflict: 1, 'host-bits': 1, unknown: 1, clipped: 1, mapped: 1 };
  t.same(trial.tally(NAME).notes, notes);
  t.end();
});

t.test('a row gives the country by its code, and number, name and domain of the AS', (t) => {
  t.same(trial.claimAt('1.0.0.1'), {
    country: 'AU',
    asn: 13335,
    asName: 'Cloudflare, Inc.',
    asDomain: 'cloudflare.com',
  });
  t.end();
});

t.test('an unknown AS is absent, also when written as AS without digits', (t) => {
  t.same(trial.claimAt('1.0.1.1'), { country: 'CN' }, 'AS is the continent of this row');
  t.same(trial.claimAt('91.187.97.1'), { country: 'XK' });
  t.same(trial.claimAt('91.187.98.1'), {
    asn: 21246,
    asName: 'IPKO Telecommunications LLC',
    asDomain: 'ipko.com',
  });
  t.end();
});

t.test('a network is a prefix, a single address or a range', (t) => {
  t.equal(trial.claimAt('81.2.70.1')?.asn, 20712);
  t.equal(trial.claimAt('81.2.70.2'), undefined);
  t.equal(trial.claimAt('2001:4860:4860::8888')?.asn, 15169);
  t.equal(trial.claimAt('2001:4860:4860::8889')?.asn, undefined);
  t.equal(trial.claimAt('91.187.64.41')?.asn, 6752);
  t.equal(trial.claimAt('91.187.64.42'), undefined);
  t.equal(trial.claimAt('81.2.69.1')?.country, 'GB', 'host bits');
  t.end();
});

t.test('the first of conflicting rows is kept, mapped rows are IPv4, and reserved space is cut out', (t) => {
  t.equal(trial.claimAt('77.88.9.1')?.country, 'RU');
  t.equal(trial.claimAt('1.2.3.4')?.asn, 1221);
  t.equal(trial.claimAt('198.17.0.1')?.country, 'US');
  t.equal(trial.claimAt('198.18.0.1'), undefined);
  t.end();
});

t.test('an AS is written as AS and a 32-bit number', async (t) => {
  const texts = [
    'AS0',
    'AS4294967295',
    'AS',
    '',
    '-',
    'AS4294967296',
    'AS01',
    'as1',
    'AS 1',
    'ASN1',
    '1',
    'AS1.5',
  ];
  const rows = texts.map((asn, i) => `5.0.${i}.0/24,Sweden,SE,Europe,EU,${asn},,`);
  const { claimAt, tally } = await tryFeed(ipinfo, [fileOf(t, HEADER, ...rows)]);
  const read = texts.map((_, i) => claimAt(`5.0.${i}.1`)?.asn);
  t.same(read.slice(0, 5), [0, 4294967295, undefined, undefined, undefined]);
  t.equal(tally(NAME).accepted, 5);
  t.equal(tally(NAME).rejections.columns?.count, 7);
});

t.test(
  'columns are found by name, and a name or code in the other’s place is refused row by row',
  async (t) => {
    const turned = 'as_domain,asn,as_name,continent_code,continent,country_code,country,network';
    const good = await tryFeed(ipinfo, [
      fileOf(t, turned, 'att.com,AS7018,AT&T,NA,North America,US,United States,12.0.0.0/8'),
    ]);
    t.same(good.claimAt('12.0.0.1'), { country: 'US', asn: 7018, asName: 'AT&T', asDomain: 'att.com' });
    const swapped = await tryFeed(ipinfo, [
      fileOf(t, HEADER, '12.0.0.0/8,US,United States,NA,NA,AS7018,AT&T,att.com'),
    ]);
    t.same(swapped.rejections(NAME), ['country@2']);
  },
);

t.test('other columns are refused', async (t) => {
  const refused = async (header: string, found: RegExp): Promise<void> => {
    const file = fileOf(t, header, '1.0.0.0/24,Australia,AU,Oceania,OC,AS13335,,');
    await t.rejects(tryFeed(ipinfo, [file]), { name: 'FeedError', refusal: 'header', found });
  };
  await refused(HEADER.replace('network', 'start_ip,end_ip'), /lacks column "network"/);
  await refused(`${HEADER},region`, /has unknown column "region"/);
  await refused('1.0.0.0/24,Australia,AU,Oceania,OC,AS13335,,', /lacks column/);
});

t.test('an empty, truncated or other file is refused', async (t) => {
  await t.rejects(tryFeed(ipinfo, [fileOf(t)]), { name: 'FeedError', refusal: 'truncated' });
  const json = fileOfBytes(t, { feed: ipinfo, name: NAME }, Buffer.from('{"error":"Unknown token"}'));
  await t.rejects(tryFeed(ipinfo, [json]), {
    name: 'FeedError',
    refusal: 'container',
    found: /Unknown token/,
  });
  const whole = readFileSync(fixtureFile(ipinfo, NAME).path);
  for (let size = 0; size < whole.length; size += size < 40 ? 1 : 997) {
    const cut = fileOfBytes(t, { feed: ipinfo, name: NAME }, whole.subarray(0, size));
    await t.rejects(tryFeed(ipinfo, [cut]), { name: 'FeedError', refusal: 'truncated' }, `at byte ${size}`);
  }
});
