import t, { type Test } from 'tap';
import { formatIpv4, parseAddress } from '../net/address.js';
import { formatPrefix } from '../net/prefix.js';
import { pseudoRandom } from '../table/networks.fixture.js';
import { allocationsTable } from './allocations-table.js';
import { DELEGATED, loadDelegations } from './delegations.js';
import type { Delegations } from './registries.js';
import { cutsThatPass, refusalsOf, tryContents, tryFixtures } from './testing/source-trial.js';

const APNIC = 'delegated-apnic-extended-latest';
const ARIN = 'delegated-arin-extended-latest';
const RIPE = 'delegated-ripencc-extended-latest';
const RIPE_PLAIN = 'delegated-ripencc-latest';

/** Returns statistics in the published format: version line, and summaries with the correct counts. */
function statistics(registry: string, records: readonly string[]): string {
  const types = ['asn', 'ipv4', 'ipv6'];
  const count = (type: string): number => records.filter((record) => record.split('|')[2] === type).length;
  const summaries = types.map((type) => `${registry}|*|${type}|*|${count(type)}|summary`);
  const version = `2.3|${registry}|20260505|${records.length}||20260505|+1000`;
  return `${[version, ...summaries, ...records].join('\n')}\n`;
}

/** Returns `prefix registry status country` of every block. */
function blocksOf({ allocations }: Delegations): string[] {
  return Array.from({ length: allocations.count }, (_, index) => {
    const { address, length, registry, status, country } = allocations.at(index);
    return `${formatPrefix(address, length)} ${registry} ${status} ${country ?? '-'}`;
  });
}

async function load(t: Test, contents: Readonly<Record<string, string>>): Promise<Delegations> {
  return loadDelegations((await tryContents(t, DELEGATED, contents)).dir);
}

t.test('allocated and assigned blocks are kept in address order, covering blocks first', async (t) => {
  const content = statistics('apnic', [
    'apnic|JP|ipv6|2001:200::|35|19990813|allocated|A916B6AA',
    'apnic|AU|ipv4|1.1.1.0|256|20110811|assigned|A91872ED',
    'apnic|CN|ipv4|1.0.0.0|131072|20110811|allocated|A9',
    'apnic||ipv4|14.192.48.0|2048||reserved|',
    'apnic|ZZ|ipv4|27.0.156.0|1024||available',
    'apnic|AP|ipv4|146.88.19.0|256|19910128|allocated|A91B264B',
    'apnic|UK|ipv4|146.88.20.0|256||allocated|A91B264C',
  ]);
  const trial = await tryContents(t, DELEGATED, { [APNIC]: content });
  t.same(blocksOf(loadDelegations(trial.dir)), [
    '1.0.0.0/15 apnic allocated CN',
    '1.1.1.0/24 apnic assigned AU',
    '146.88.19.0/24 apnic allocated -',
    '146.88.20.0/24 apnic allocated GB',
    '2001:200::/35 apnic allocated JP',
  ]);
  t.equal(trial.tally(APNIC).accepted, 7, 'available space is counted too');
  t.same(trial.tally(APNIC).rejections, {});
});

t.test('registries without a file are logged; one of the two files of the RIPE NCC is enough', async (t) => {
  const contents = { [APNIC]: statistics('apnic', []), [RIPE_PLAIN]: statistics('ripencc', []) };
  const { log } = await tryContents(t, DELEGATED, contents);
  t.same(
    log,
    ['afrinic', 'arin', 'lacnic'].map(
      (name) => `no delegation statistics of ${name}: its delegations are missing`,
    ),
  );
});

t.test('AS numbers have registry, status, country, date and holder, if known', async (t) => {
  const delegations = await load(t, {
    [ARIN]: statistics('arin', [
      'arin|US|asn|3|1|00000000|assigned|d98c567c',
      'arin|US|asn|10|3|19840222|assigned|8c3f2df3',
    ]),
    [RIPE]: statistics('ripencc', [
      'ripencc|EU|asn|7|1|19930901|allocated|',
      'ripencc|NL|asn|4294967295|1||allocated|x',
    ]),
  });
  t.same([...delegations.asns], [3, 7, 10, 11, 12, 4294967295]);
  t.same(delegations.asn(3), {
    asn: 3,
    registry: 'arin',
    status: 'assigned',
    country: 'US',
    holder: 'd98c567c',
  });
  t.same(delegations.asn(7), { asn: 7, registry: 'ripe', status: 'allocated', date: '1993-09-01' });
  t.equal(delegations.asn(11)?.holder, delegations.asn(12)?.holder);
  t.equal(delegations.asn(12)?.date, '1984-02-22');
  t.equal(delegations.asn(13), undefined);
  t.equal(delegations.asn(0), undefined);
});

t.test('available and reserved AS numbers have no delegation', async (t) => {
  const records = ['apnic||asn|64297|3||reserved|', 'apnic||asn|63488|512||available|'];
  t.same([...(await load(t, { [APNIC]: statistics('apnic', records) })).asns], []);
});

t.test('blocks that are not a prefix are split into prefixes of the same total size', async (t) => {
  const draw = pseudoRandom(7);
  const expected: { start: number; count: number }[] = [];
  for (let start = 0x0100_0000; expected.length < 300;) {
    const count = 1 + draw(5000);
    expected.push({ start, count });
    start += count + 1 + draw(3);
  }
  const records = expected.map(
    ({ start, count }) => `apnic|AU|ipv4|${formatIpv4(start)}|${count}||assigned|A`,
  );
  const { allocations } = await load(t, { [APNIC]: statistics('apnic', records) });
  const runs: { start: number; count: number }[] = [];
  for (let index = 0; index < allocations.count; index++) {
    const { address, length } = allocations.at(index);
    const [start, count] = [address[3]!, 2 ** (128 - length)];
    if (start % count !== 0) t.fail(`${formatIpv4(start)} is not aligned to ${count}`);
    const last = runs.at(-1);
    if (last && last.start + last.count === start) last.count += count;
    else runs.push({ start, count });
  }
  t.same(runs, expected);
});

t.test(
  'the registry is the one that lists a block; of two the later date counts, noted as a conflict',
  async (t) => {
    const trial = await tryContents(t, DELEGATED, {
      [ARIN]: statistics('arin', [
        'arin|US|ipv4|8.0.0.0|256|19921201|allocated|a',
        'arin|US|ipv4|9.0.0.0|256|20200101|allocated|a',
        'arin|US|asn|1000|1|20100101|assigned|a',
      ]),
      [RIPE]: statistics('ripencc', [
        'ripencc|DE|ipv4|8.0.0.0|256|20180405|allocated|b',
        'ripencc|DE|ipv4|9.0.0.0|256||allocated|b',
        'ripencc|DE|asn|1000|1|20180405|allocated|b',
      ]),
    });
    const delegations = loadDelegations(trial.dir);
    t.same(blocksOf(delegations), ['8.0.0.0/24 ripe allocated DE', '9.0.0.0/24 arin allocated US']);
    t.equal(delegations.asn(1000)?.registry, 'ripe');
    t.same(trial.tally(ARIN).notes, { conflict: 2 });
    t.same(trial.tally(RIPE).notes, { conflict: 1 });
    t.equal(trial.tally(ARIN).accepted, 3, 'a replaced record is not a bad row');
  },
);

t.test(
  'the extended statistics of the RIPE NCC have precedence over the plain ones, which fill gaps',
  async (t) => {
    const trial = await tryContents(t, DELEGATED, {
      [RIPE_PLAIN]: statistics('ripencc', [
        'ripencc|FR|ipv4|2.0.0.0|1536|20100712|allocated',
        'ripencc|GB|ipv4|2.24.0.0|256|20200101|allocated',
        'ripencc|IT|ipv4|2.32.0.0|256|20100429|allocated',
        'ripencc|NL|asn|3333|1|20200101|allocated',
      ]),
      [RIPE]: statistics('ripencc', [
        'ripencc|FR|ipv4|2.0.0.0|1536|20100712|allocated|x',
        'ripencc|IE|ipv4|2.24.0.0|256|20100101|assigned|x',
        'ripencc|NL|asn|3333|1|19940519|allocated|y',
      ]),
    });
    const delegations = loadDelegations(trial.dir);
    t.same(blocksOf(delegations), [
      '2.0.0.0/22 ripe allocated FR',
      '2.0.4.0/23 ripe allocated FR',
      '2.24.0.0/24 ripe assigned IE',
      '2.32.0.0/24 ripe allocated IT',
    ]);
    t.equal(delegations.asn(3333)?.holder, 'y');
    t.same(
      trial.tally(RIPE_PLAIN).notes,
      { duplicate: 2, conflict: 1 },
      'a record in two pieces is noted once',
    );
  },
);

t.test('the most specific block around an address is found', async (t) => {
  const delegations = await load(t, {
    [APNIC]: statistics('apnic', [
      'apnic|CN|ipv4|1.0.0.0|131072|20110811|allocated|A9',
      'apnic|AU|ipv4|1.1.1.0|256|20110811|assigned|A91872ED',
      'apnic|JP|ipv6|2001:200::|35|19990813|allocated|A916B6AA',
    ]),
  });
  const table = allocationsTable(delegations);
  const countryAt = (address: string): string | undefined => {
    const match = table.lookup(parseAddress(address)!.address);
    return match && delegations.allocations.at(match.recordId).country;
  };
  t.equal(countryAt('1.1.1.1'), 'AU');
  t.equal(countryAt('1.1.2.1'), 'CN');
  t.equal(countryAt('1.2.0.0'), undefined);
  t.equal(countryAt('2001:200::1'), 'JP');
  t.equal(countryAt('2001:220::1'), undefined);
});

t.test('every bad row is rejected with its reason and line', async (t) => {
  const records = [
    'apnic|AN|ipv4|1.0.0.0|256|20110811|assigned|A',
    'apnic|AU|ipv4|1.0.0.256|256|20110811|assigned|A',
    'apnic|AU|ipv4|255.255.255.0|257|20110811|assigned|A',
    'apnic|AU|ipv6|1.0.0.0|24|20110811|assigned|A',
    'apnic|AU|ipv4|1.0.0.0|256|20110231|assigned|A',
    'apnic|AU|ipv4|1.0.0.0|256|yesterday|assigned|A',
    'apnic|AU|ipv4|224.0.0.0|256|20110811|assigned|A',
    'apnic|AU|ipv6|::|0|20110811|assigned|A',
    'apnic|AU|ipv6|fc00::|7|20110811|assigned|A',
    'apnic|AU|asn|4294967295|2|20110811|allocated|A',
    'apnic|AU|asn|AS1|1|20110811|allocated|A',
    'apnic|AU|asn|1|0|20110811|allocated|A',
    'apnic|AU|asn|1|4000000000|20110811|allocated|A',
    'apnic|AU|asn|1|1',
  ];
  const trial = await tryContents(t, DELEGATED, { [APNIC]: statistics('apnic', records.slice(0, 13)) });
  const { rejections, accepted, rows } = trial.tally(APNIC);
  t.equal(accepted, 0);
  t.equal(rows, 13);
  const counted = Object.fromEntries(
    Object.entries(rejections).map(([reason, { count }]) => [reason, count]),
  );
  t.same(counted, { country: 1, address: 1, inverted: 1, family: 1, date: 2, reserved: 3, asn: 4 });
  t.same(rejections.country?.examples, [{ position: 5, excerpt: records[0] }]);
  await t.rejects(tryContents(t, DELEGATED, { [APNIC]: statistics('apnic', records) }), {
    name: 'FeedError',
    refusal: 'truncated',
    file: `rir/${APNIC}`,
  });
});

t.test('BOM and CRLF are accepted, a Latin-1 row is rejected', async (t) => {
  const content = statistics('apnic', [
    'apnic|AU|ipv4|1.1.1.0|256|20110811|assigned|A91872ED\u00e9',
    'apnic|JP|asn|173|1|20020801|allocated|A91E66F2',
  ]);
  const bytes = Buffer.concat([
    Buffer.from([0xef, 0xbb, 0xbf]),
    Buffer.from(content.replaceAll('\n', '\r\n'), 'latin1'),
  ]);
  const trial = await tryContents(t, DELEGATED, { [APNIC]: bytes });
  t.same(trial.rejections(APNIC), ['encoding@5']);
  t.same([...loadDelegations(trial.dir).asns], [173]);
});

t.test('a file cut at any byte gives the same result or is refused', async (t) => {
  const whole = statistics('apnic', [
    'apnic|AU|ipv4|1.1.1.0|256|20110811|assigned|A91872ED',
    'apnic|JP|ipv6|2001:200::|35|19990813|allocated|A916B6AA',
    'apnic|JP|asn|173|1|20020801|allocated',
  ]);
  const passed = await cutsThatPass(t, DELEGATED, {
    name: APNIC,
    whole: Buffer.from(whole),
    read: ({ dir }) => [blocksOf(loadDelegations(dir)), loadDelegations(dir).asn(173)],
  });
  t.same(passed, []);
});

t.test('unusable files are reported together, and so is the absence of files', async (t) => {
  const html = '<!DOCTYPE html><html><body>Bad gateway</body></html>';
  const contents = { [ARIN]: html, [APNIC]: '# only a banner\n', [RIPE]: statistics('ripencc', []) };
  t.same(await refusalsOf(tryContents(t, DELEGATED, contents)), [
    `header rir/${APNIC}`,
    `container rir/${ARIN}`,
  ]);
  t.same(await refusalsOf(tryContents(t, DELEGATED, {})), ['missing delegated']);
});

t.test('the fixtures of all five registries are read', async (t) => {
  const names = DELEGATED.files.map(({ name }) => name);
  const trial = await tryFixtures(t, DELEGATED, names);
  const { allocations, asns } = loadDelegations(trial.dir);
  for (const name of names) t.equal(trial.tally(name).rejected, 0, name);
  const registries = Array.from({ length: allocations.count }, (_, index) => allocations.at(index).registry);
  t.same([...new Set(registries)].sort(), ['afrinic', 'apnic', 'arin', 'lacnic', 'ripe']);
  t.ok(asns.length > 0);
});
