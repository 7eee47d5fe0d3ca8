import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { FeedError } from '../../input/feed-error.js';
import { matchesName } from '../../input/name-pattern.js';
import { own } from './own.js';
import { tryContents, tryFiles } from '../testing/own-trial.js';

const FIXTURES = fileURLToPath(new URL('../../../../fixtures/', import.meta.url));
const FEEDS = path.join(FIXTURES, 'feeds');

/** The operator's lists of proxies are in the same folder but are not read by the feed. */
const NO_PLACES = new Set(['own/allow-list.csv', 'own/deny-list.csv']);

/** The folders `cloud` and `peeringdb` have files for others as well. */
const isOurs = (id: string): boolean =>
  !NO_PLACES.has(id) &&
  own.files.some(({ folder, name }) => matchesName(`${folder}/${name}`, id.replaceAll(path.sep, '/')));

const fixtureIds = ['anycast', 'cloud', 'own', 'peeringdb', 'rir', 'whois-country', 'whois-geofeed'].flatMap(
  (folder) =>
    readdirSync(path.join(FEEDS, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(FEEDS, path.join(entry.parentPath, entry.name)))
      .filter(isOurs),
);

t.test('every file of the fixtures is read, and every row is counted', async (t) => {
  const trial = await tryFiles(FEEDS, fixtureIds);
  t.same(trial.files.sort(), fixtureIds.sort());
  const rows: Record<string, string> = {};
  for (const id of trial.files) {
    const { accepted, rejected } = trial.tally(id);
    rows[id] = `${accepted} + ${rejected}`;
  }
  t.same(rows, {
    'cloud/ServiceTags_Public_20261116.json': '12 + 0',
    'cloud/cloud.json': '7 + 0',
    'cloud/ip-ranges.json': '32 + 0',
    'cloud/public_ip_ranges.json': '15 + 0',
    'cloud/ips-v4': '15 + 0',
    'cloud/ips-v6': '7 + 0',
    'anycast/anycatch-v4-prefixes.txt': '7 + 0',
    'anycast/anycatch-v6-prefixes.txt': '3 + 0',
    'peeringdb/ix-0.json': '11 + 0',
    'peeringdb/ixlan-0.json': '11 + 0',
    'peeringdb/ixpfx-0.json': '21 + 0',
    'own/country/ad/ad-ipv4.txt': '12 + 0',
    'own/country/ad/ad-ipv6.txt': '8 + 0',
    'own/geofeeds-found/customer.example.org-793c399c5d7524224e325e3ad14f805d.csv': '3 + 0',
    'own/geofeeds-found/geofeeds.example.net-373ea545a0be53d871e6d9be91ea1b65.csv': '8 + 1',
    'own/geofeeds/365hosting.csv': '15 + 0',
    'own/geofeeds/brnet-noc-mzknet.csv': '6 + 0',
    'own/geofeeds/eastlink-intcore.csv': '12 + 0',
    'own/geofeeds/flexnetworks.csv': '27 + 1',
    'own/geofeeds/imoncommunications.csv': '11 + 0',
    'own/geofeeds/kincaidyang.csv': '5 + 0',
    'own/geofeeds/orangejx.csv': '9 + 0',
    'own/geofeeds/quirks.csv': '32 + 6',
    'own/geofeeds/zooper.csv': '4 + 0',
    'own/overrides.csv': '8 + 0',
    'rir/delegated-afrinic-extended-latest': '32 + 0',
    'rir/delegated-apnic-extended-latest': '186 + 0',
    'rir/delegated-arin-extended-latest': '145 + 0',
    'rir/delegated-lacnic-extended-latest': '39 + 0',
    'rir/delegated-ripencc-extended-latest': '166 + 0',
    'rir/delegated-ripencc-latest': '11 + 0',
    'whois-country/ipv4.tsv.gz': '123 + 1',
    'whois-country/ipv6.tsv.gz': '31 + 0',
    'whois-geofeed/references.csv': '2 + 1',
    'whois-geofeed/ripe.db.inetnum.gz': '3 + 2',
  });
});

t.test('every fixture is within its tolerance', async (t) => {
  const trial = await tryFiles(FEEDS, fixtureIds);
  for (const id of trial.files) {
    const { rows, rejected } = trial.tally(id);
    const declared = own.files.find(({ folder, name }) => matchesName(`${folder}/${name}`, id));
    const tolerance = declared?.tolerance ?? own.tolerance;
    t.ok(rejected <= rows * tolerance, id);
  }
});

t.test('the packed dump of a registry has the bytes of its source', (t) => {
  const packed = readFileSync(path.join(FEEDS, 'whois-geofeed/ripe.db.inetnum.gz'));
  const source = readFileSync(path.join(FIXTURES, 'sources/whois-geofeed-ripe.db.inetnum.txt'));
  t.ok(gunzipSync(packed).equals(source), 'run generate/whois-geofeed.js again');
  t.end();
});

t.test('geofeeds of the fixtures count outright only inside their blocks', async (t) => {
  const trial = await tryFiles(FEEDS, fixtureIds);
  const cases: readonly [address: string, country: string | undefined, basis: string | undefined][] = [
    ['185.98.4.1', 'DE', 'geofeed'],
    ['185.98.5.1', 'FR', 'geofeed'],
    ['185.98.6.1', 'NL', 'geofeed'],
    ['31.24.1.1', 'PL', 'geofeed'],
    ['31.24.3.1', 'PL', undefined],
    ['31.24.8.1', 'CZ', undefined],
    ['2a07:59c0::1', 'SE', 'geofeed'],
    ['2a07:59c0:8000::1', undefined, undefined],
    ['2a07:59c1::1', 'NL', 'geofeed'],
    ['2a07:59c1:8000::1', 'SE', undefined],
  ];
  for (const [address, country, basis] of cases) {
    const claim = trial.claimAt(address);
    t.same([claim?.country, claim?.basis], [country, basis], address);
  }
});

t.test('the oddities of geofeeds are noted or rejected one by one', async (t) => {
  const id = 'own/geofeeds/quirks.csv';
  const trial = await tryFiles(FEEDS, [id]);
  t.same(trial.rejections(id).sort(), [
    'address@27',
    'country@28',
    'country@29',
    'encoding@31',
    'quoting@30',
    'reserved@32',
  ]);
  t.same(trial.tally(id).notes, {
    'host-bits': 1,
    'region-country': 1,
    unknown: 2,
    duplicate: 1,
    conflict: 1,
  });
});

t.test('the fixtures give the claims of their publishers', async (t) => {
  const trial = await tryFiles(FEEDS, fixtureIds);
  const google = {
    country: 'US',
    isp: 'Google',
    basis: 'override',
    lastLevel: 'country',
    coordinates: 'none',
    registeredCountry: 'US',
    anycast: 'listed',
  };
  t.same(trial.claimAt('8.8.8.8'), google);
  t.same(trial.claimAt('2001:4860:4860::8888'), google);
  const cloudflare = { country: 'AU', isp: 'Cloudflare', basis: 'override', anycast: 'listed' };
  t.match(trial.claimAt('1.1.1.1'), cloudflare);
  t.match(trial.claimAt('104.16.0.1'), { country: 'US', basis: 'registration', anycast: 'stated' });
  t.match(trial.claimAt('8.9.0.1'), { country: 'US', basis: 'registration' });
  t.match(trial.claimAt('190.9.163.7'), { country: 'EC', latitude: 0, longitude: -78.4558 });
  t.match(trial.claimAt('41.0.0.1'), { country: 'ZA', isp: 'Vodacom', basis: 'registration' });
  t.match(trial.claimAt('2a0e:97c0:831::1'), { country: 'US', cityName: 'Seattle', basis: 'geofeed' });
  t.match(trial.claimAt('54.148.0.1'), { country: 'US', region: 'US-OR', basis: 'cloud' });
  t.match(trial.claimAt('20.42.0.1'), { region: 'US-VA', basis: 'cloud' });
  t.not(trial.claimAt('20.42.4.121')?.basis, 'cloud', 'Front Door is in many places');
  t.not(trial.claimAt('13.32.0.1')?.basis, 'cloud', 'CloudFront is in many places');
  t.match(trial.claimAt('80.249.208.1'), { country: 'NL', cityName: 'Amsterdam', basis: 'exchange' });
  t.notOk(trial.claimAt('193.239.116.1')?.cityName, 'NL-ix is in several cities');
  t.match(trial.claimAt('193.239.116.1'), { country: 'NL', basis: 'exchange' });
  t.equal(trial.claimAt('2a0e:97c0:830::1'), undefined, 'the operator asks not to be located');
  t.equal(trial.claimAt('2.16.0.1'), undefined, 'EU is no country');
});

t.test('an override wins over a more specific geofeed inside it', async (t) => {
  const trial = await tryContents(t.testdir(), {
    'own/overrides.csv': 'prefix,country,region,city\n24.129.0.0/16,CA,CA-NS,Halifax\n',
    'own/geofeeds/a.csv': '24.129.228.0/24,CA,CA-AB,Langdon,\n24.130.0.0/24,CA,CA-BC,Delta,\n',
  });
  t.equal(trial.claimAt('24.129.228.1')?.cityName, 'Halifax');
  t.equal(trial.claimAt('24.130.0.1')?.cityName, 'Delta');
});

const LACNIC = [
  '2.3|lacnic|20240104|2|19870101|20240104|-0300',
  'lacnic|*|ipv4|*|2|summary',
  'lacnic|BR|ipv4|24.128.0.0|131072|20200310|allocated|310248',
  'lacnic|BR|ipv4|24.152.0.0|1024|20200310|allocated|310248',
].join('\n');

t.test(
  'a geofeed wins over whois, whois over the delegation, and the delegation is the registration',
  async (t) => {
    const trial = await tryContents(t.testdir(), {
      'own/geofeeds/a.csv': '24.129.0.0/16,CA,,,\n',
      'whois-country/ipv4.tsv.gz': '24.129.228.0/24\tUS\n24.128.0.0/24\tUS\n24.200.0.0/24\tUS\n',
      'rir/delegated-lacnic-extended-latest': LACNIC,
    });
    t.same(trial.claimAt('24.129.228.1'), {
      country: 'CA',
      basis: 'geofeed',
      statedBy: 'own/geofeeds/a.csv',
      registeredCountry: 'BR',
    });
    t.same(trial.claimAt('24.128.0.1'), { country: 'US', basis: 'registration', registeredCountry: 'BR' });
    t.same(trial.claimAt('24.128.1.1'), { country: 'BR', basis: 'registration', registeredCountry: 'BR' });
    t.same(trial.claimAt('24.200.0.1'), { country: 'US', basis: 'registration', registeredCountry: 'US' });
  },
);

t.test(
  'space without a location in a geofeed gets none from weaker layers, but an override still wins',
  async (t) => {
    const trial = await tryContents(t.testdir(), {
      'own/overrides.csv': 'prefix,country,region,city\n24.129.4.0/24,CA,,\n',
      'own/geofeeds/a.csv': '24.129.0.0/16,,,,\n24.129.8.0/24,CA,,,\n',
      'whois-country/ipv4.tsv.gz': '24.129.0.0/16\tUS\n',
      'rir/delegated-lacnic-extended-latest': LACNIC,
    });
    t.same(trial.claimAt('24.129.0.1'), { basis: 'registration', registeredCountry: 'BR' });
    t.match(trial.claimAt('24.129.4.1'), { country: 'CA', basis: 'override' });
    t.match(trial.claimAt('24.129.8.1'), { country: 'CA', basis: 'geofeed' });
  },
);

t.test('the extended statistics win over the plain ones for any order of files', async (t) => {
  const plain = '2|ripencc|1404165599|1|19830705|20140630|+0200\nripencc|*|ipv4|*|1|summary\n';
  const contents = {
    'rir/delegated-ripencc-latest': `${plain}ripencc|DE|ipv4|2.56.0.0|2048|20130101|allocated\n`,
    'rir/delegated-ripencc-extended-latest': `${plain}ripencc|DK|ipv4|2.56.0.0|2048|20190313|allocated|47ff\n`,
  };
  const trial = await tryContents(t.testdir(), contents);
  t.equal(trial.claimAt('2.56.0.1')?.country, 'DK');
  t.same(trial.tally('rir/delegated-ripencc-latest').notes, { conflict: 1 });
});

t.test(
  'files of one family are read in the order of names, so that the result is deterministic',
  async (t) => {
    const contents = {
      'own/geofeeds/b.csv': '24.129.0.0/16,US,,,\n',
      'own/geofeeds/a.csv': '24.129.0.0/16,CA,,,\n',
    };
    const trial = await tryContents(t.testdir(), contents);
    t.same(trial.files, ['own/geofeeds/a.csv', 'own/geofeeds/b.csv']);
    t.equal(trial.claimAt('24.129.0.1')?.country, 'CA');
  },
);

t.test('a snapshot without any file is refused', async (t) => {
  await t.rejects(tryFiles(FEEDS, []), { name: 'FeedError', refusal: 'missing' });
});

t.test('an undeclared file fails an assertion', async (t) => {
  await t.rejects(tryContents(t.testdir(), { 'rir/delegated-iana-latest': '2|iana|1|0|||\n' }), {
    name: 'AssertionError',
  });
});

t.test('random bytes never crash the reader, and every row is counted', async (t) => {
  const ids = [
    'own/overrides.csv',
    'own/geofeeds/a.csv',
    'whois-country/ipv4.tsv.gz',
    'own/country/ad/ad-ipv6.txt',
    'cloud/ips-v4',
    'anycast/anycatch-v6-prefixes.txt',
  ];
  for (let seed = 0; seed < 60; seed++) {
    const id = ids[seed % ids.length]!;
    const head = id === 'own/overrides.csv' ? 'prefix,country,region,city,lat,lon,isp\n' : '';
    const noise = noiseOf(
      seed,
      2000,
      seed % 3 === 0 ? undefined : '0123456789abcdef.:/,,\t\t\n\n\r"# USCA\u00fc',
    );
    await accountsFor(t, id, Buffer.concat([Buffer.from(head), noise]));
  }
});

t.test('a damaged fixture is refused, or every row is counted', async (t) => {
  for (const id of fixtureIds.filter((id) => !/\.(gz|json)$/.test(id))) {
    const bytes = readFileSync(path.join(FEEDS, id));
    for (let seed = 0; seed < 8; seed++) {
      const damaged = Buffer.from(bytes);
      const noise = noiseOf(seed, 8);
      for (let i = 0; i < 8; i += 2)
        damaged[((noise[i]! << 8) | noise[i + 1]!) % damaged.length]! ^= 1 << (i % 8);
      await accountsFor(t, id, damaged);
    }
  }
});

t.test('the packed whois fixtures have the content of their sources', (t) => {
  for (const family of ['ipv4', 'ipv6']) {
    const packed = readFileSync(path.join(FEEDS, `whois-country/${family}.tsv.gz`));
    const source = readFileSync(path.join(FIXTURES, `sources/whois-country-${family}.tsv`));
    t.ok(gunzipSync(packed).equals(source), family);
  }
  t.end();
});

/** Reads one file. Asserts that its tally has as many rows as the file, unless the file is refused. */
async function accountsFor(t: Test, id: string, content: Buffer): Promise<void> {
  const trial = await tryContents(t.testdir(), { [id]: content }).catch((error: unknown) => {
    if (error instanceof FeedError) return undefined;
    throw error;
  });
  if (trial) t.equal(trial.tally(id).rows, rowsIn(id, content), id);
}

/** Counts the lines except blank lines, comments, header, version line and summaries, without our parser. */
function rowsIn(id: string, content: Buffer): number {
  const lines = content
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .split(/\r?\n/);
  const comment = id.endsWith('.csv') ? /^[ \t\r]*#/ : /^#/;
  const rows = lines.filter((line) => line !== '' && line !== '""' && !comment.test(line));
  if (id.startsWith('rir/')) return rows.filter((line) => !/^2|\|summary$/.test(line)).length;
  return rows.filter((line, index) => index > 0 || !/^(prefix|ip)[a-z_]*,/.test(line)).length;
}

/** Creates pseudo-random bytes, or characters of an alphabet, that are the same in every run. */
function noiseOf(seed: number, length: number, alphabet?: string): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 32)
    createHash('sha256').update(`${seed} ${at}`).digest().copy(bytes, at);
  if (alphabet === undefined) return bytes;
  return Buffer.from([...bytes].map((byte) => alphabet[byte % alphabet.length]!).join(''));
}
