import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { z } from 'zod';
import { FEEDS as FEED_CATALOGUE } from '../feeds/catalogue.js';
import type { PublishedFile } from '../input/published-source.js';
import { matchesName } from '../input/name-pattern.js';
import { agreementIn } from '../release/agreement.js';
import { GAZETTEER_SOURCES } from '../gazetteer/source.js';
import { LISTS } from '../lists/catalogue.js';
import { ROUTING_SOURCES } from '../snapshot/routing-sources.js';
import {
  ALL_FEEDS,
  build,
  copyFeeds,
  geoPath,
  inputFile,
  ipatlas,
  ipatlasProcess,
  openGeo,
  outputFolder,
  served,
  sha256,
  unfinished,
} from './testing/command-line.js';

/** 2026-11-19T00:00:00Z and a day later. */
const EPOCH = '1795046400';
const NEXT_EPOCH = '1795132800';

const FEEDS = copyFeeds(t);
const OUTPUT = outputFolder(t);
const settings = { ...ALL_FEEDS, FEEDS, OUTPUT, SOURCE_DATE_EPOCH: EPOCH };
const first = await build(t, settings, ipatlasProcess);

t.test('the report of a build has maps, and the agreement of its feeds', async (t) => {
  const { dir, manifest } = await served(OUTPUT);
  const { countries, pairs } = agreementIn(manifest.datasets)!;
  t.ok(countries.get('US')!.compared > 0);
  t.ok(pairs.some(({ feeds, cities }) => feeds.includes('geolite2') && cities > 0));
  t.match(readFileSync(join(dir, 'report.html'), 'utf8'), '<use href="#land-US"');
});

t.test('a build from the fixtures publishes a release and reports it', async (t) => {
  const { id } = await served(OUTPUT);
  t.match(first.stdout, `Published ${id} in `);
  t.match(first.stdout, /^geolite2 +1,119 +9 +1,112 +76\.9 % +0\.8 % +22\.2 %$/m);
  t.match(
    first.stdout,
    'own/geofeeds/quirks.csv: address 1, country 2, encoding 1, quoting 1, reserved 1; first at 27: 192.219.0.0.24,CA,',
  );
  for (const job of ['fetch:own', 'ingest:geolite2', 'gazetteer', 'compile:geo', 'compile:isp', 'publish']) {
    t.match(first.stderr, new RegExp(`Z ${job}: started$`, 'm'));
    t.match(first.stderr, new RegExp(`Z ${job}: done`, 'm'));
  }
  t.same(unfinished(OUTPUT), []);
});

t.test('a build publishes the editions of its downloads, and counts the levels of places', async (t) => {
  const { dir, manifest } = await served(OUTPUT);
  const types = manifest.editions?.map(({ type }) => type) ?? [];
  t.same(types.sort(), [
    ...['GeoIP2-Anonymous-IP', 'GeoIP2-City', 'GeoIP2-Country', 'GeoIP2-ISP'],
    ...['GeoLite2-ASN', 'GeoLite2-City', 'GeoLite2-Country'],
  ]);
  for (const { name } of manifest.editions!) t.ok(existsSync(join(dir, name)), name);
  for (const name of ['geo.mmdb', 'download/geo.mmdb']) {
    const { coverage, coverageByLevel = {} } = manifest.files.find((file) => file.name === name)!;
    const parts = Object.values(coverageByLevel).map(({ ipv4Addresses }) => ipv4Addresses);
    t.equal(
      parts.reduce((sum, part) => sum + part, 0),
      coverage.ipv4Addresses,
      `${name}: the levels add up`,
    );
  }
});

t.test('a GeoIP2 client reads what was published', (t) => {
  const get = openGeo(OUTPUT);
  const cases: readonly [string, string, object][] = [
    [
      'an override',
      '8.8.8.8',
      { country: { iso_code: 'US', names: { en: 'United States', 'zh-CN': '美国' } } },
    ],
    [
      'a network of GeoLite2, with Chinese names',
      '1.0.1.1',
      {
        country: { iso_code: 'CN', geoname_id: 1814991, names: { en: 'China', 'zh-CN': '中国' } },
        subdivisions: [{ iso_code: 'GD', names: { en: 'Guangdong', 'zh-CN': '广东' } }],
        city: { geoname_id: 1809858, names: { en: 'Guangzhou', 'zh-CN': '广州市' } },
        location: { latitude: 23.1167, longitude: 113.25, accuracy_radius: 10, time_zone: 'Asia/Shanghai' },
      },
    ],
    [
      'an override that names a place',
      '223.5.5.5',
      { city: { geoname_id: 1808926, names: { 'zh-CN': '杭州' } }, location: { latitude: 30.2937 } },
    ],
    [
      'an override over more specific geofeed rows',
      '24.129.3.4',
      { country: { iso_code: 'CA' }, city: { names: { en: 'Halifax' } } },
    ],
    [
      'the equator, from a row with host bits',
      '190.9.175.255',
      { country: { iso_code: 'EC' }, location: { latitude: 0, longitude: -78.4558 } },
    ],
    ['a geofeed row', '138.124.187.9', { country: { iso_code: 'US' }, subdivisions: [{ iso_code: 'NJ' }] }],
    ['a geofeed row of one address', '2405:a640::1', { country: { iso_code: 'TW' } }],
    ['a geofeed row inside a cut-out', '2a0e:97c0:831::1', { city: { names: { en: 'Seattle' } } }],
    ['a region of a cloud', '23.20.0.1', { country: { iso_code: 'US' }, subdivisions: [{ iso_code: 'VA' }] }],
    ['the LAN of an exchange', '80.249.208.1', { city: { names: { en: 'Amsterdam' } } }],
    ['a country that whois alone knows', '103.217.254.9', { country: { iso_code: 'AU' } }],
    ['a country that delegations alone know', '24.152.41.9', { country: { iso_code: 'PY' } }],
    [
      'the same over IPv6',
      '2800:a0::1',
      { country: { iso_code: 'UY' }, registered_country: { iso_code: 'UY' } },
    ],
    ['IPv6 of GeoLite2', '2001:660::1', { country: { iso_code: 'FR' }, city: { names: { en: 'Paris' } } }],
  ];
  for (const [what, ip, expected] of cases) t.match(get(ip), expected, `${what}: ${ip}`);
  t.notOk(get('8.8.8.8')?.location, 'an override with only a country is not refined');
  t.notOk(get('24.152.41.9')?.city, 'unknown fields are absent');
  t.end();
});

t.test('the places of exchanges are not in the file for download', async (t) => {
  const [inService, download] = [openGeo(OUTPUT), openGeo(OUTPUT, 'download/geo.mmdb')];
  t.match(inService('2001:7f8:1::1'), { city: { names: { en: 'Amsterdam' } } });
  t.notOk(download('2001:7f8:1::1')?.city);
  t.match(download('23.20.0.1'), { subdivisions: [{ iso_code: 'VA' }] }, 'those of clouds are');
  const { manifest } = await served(OUTPUT);
  const sourcesOf = (name: string) => manifest.files.find((file) => file.name === name)?.sources ?? [];
  t.ok(sourcesOf('geo.mmdb').includes('peeringdb'));
  t.ok(sourcesOf('sources/own.mmdb').includes('peeringdb'));
  t.notOk(sourcesOf('download/geo.mmdb').includes('peeringdb'));
});

t.test('reserved and unknown space has no record', (t) => {
  const get = openGeo(OUTPUT);
  const reserved = ['10.1.2.3', '127.0.0.1', '192.168.1.1', '224.0.0.1', '::1', 'fe80::1', '2001:db8::1'];
  const cutOut = ['2a0e:97c0:830::1', '143.223.145.7', '143.223.151.1'];
  const refused = ['63.245.41.1'];
  for (const ip of [...reserved, ...cutOut, ...refused, '2001:0:808:808::1']) t.equal(get(ip), undefined, ip);
  t.end();
});

t.test('IPv4 answers under its notations in IPv6', (t) => {
  const get = openGeo(OUTPUT);
  t.same(get('::ffff:1.0.1.1'), get('1.0.1.1'));
  t.same(get('2002:100:101::1'), get('1.0.1.1'));
  t.same(get('2002:0a01:203::1'), undefined, '6to4 of private space');
  t.end();
});

t.test('the manifest accounts for every row and every byte', async (t) => {
  const { manifest } = await served(OUTPUT);
  const lists = LISTS.filter(({ files }) => files.some(isThere));
  t.ok(lists.length > 0);
  t.same(
    manifest.inputs.map(({ feed }) => feed).sort(),
    [...GAZETTEER_SOURCES, ...FEED_CATALOGUE, ...ROUTING_SOURCES, ...lists].map(({ id }) => id).sort(),
  );
  for (const { feed, files, refusals, licence } of manifest.inputs) {
    t.same(refusals, [], feed);
    t.match(licence, { name: /\w/, url: /^https:/ });
    if (FEED_CATALOGUE.some(({ id }) => id === feed && id !== 'own')) t.match(licence, { attribution: /\w/ });
    if (feed === 'geolite2') t.match(licence, { attribution: /MaxMind/, terms: 'closed' });
    for (const { id, rows, accepted, rejected, rejections, ...file } of files) {
      t.equal(accepted + rejected, rows, `${feed}: ${id}`);
      const counted = Object.values(rejections).reduce((sum, { count }) => sum + count, 0);
      t.equal(counted, rejected, `${feed}: reasons of ${id}`);
      t.equal(file.sha256, sha256(join(FEEDS, id)), `${feed}: sha256 of ${id}`);
      t.equal(file.sizeBytes, statSync(join(FEEDS, id)).size);
      t.notOk(file.lastGood);
    }
  }
  const [geo] = manifest.files;
  t.match(geo, { name: 'geo.mmdb', sha256: sha256(geoPath(OUTPUT)), buildEpoch: Number(EPOCH) });
  t.equal(geo!.sizeBytes, statSync(geoPath(OUTPUT)).size);
  t.same(geo!.languages, ['en', 'zh-CN']);
});

t.test('all gates pass', async (t) => {
  const { manifest } = await served(OUTPUT);
  t.same(
    manifest.gates.map(({ name }) => name),
    ['tree verifies', 'row counts', 'coverage', 'routing table', 'proxies', 'accuracy', 'canaries', 'schema'],
  );
  for (const { name, passed, found } of manifest.gates) t.ok(passed, `${name}: ${found}`);
});

t.test('a byte order mark and host bits are accepted and noted', async (t) => {
  const { manifest } = await served(OUTPUT);
  const quirks = inputFile(manifest, 'own', 'own/geofeeds/quirks.csv');
  t.match(quirks.notes, { 'host-bits': Number });
  t.equal(readFileSync(join(FEEDS, quirks.id)).subarray(0, 3).toString('hex'), 'efbbbf');
  t.match(openGeo(OUTPUT)('2a13:c007:8400::1'), { city: { names: { en: 'New York', 'zh-CN': '纽约' } } });
});

t.test('a second build without changes publishes nothing', async (t) => {
  const before = readFileSync(join(OUTPUT, 'current', 'manifest.json'), 'utf8');
  const { stdout, stderr } = await build(t, { ...ALL_FEEDS, FEEDS, OUTPUT });
  t.match(stdout, /^Nothing new: release \S+ has the same inputs/m);
  t.match(stderr, 'ingest:geolite2: unchanged: using the normalised input of an earlier run');
  t.equal(readFileSync(join(OUTPUT, 'current', 'manifest.json'), 'utf8'), before);
  t.same(await releaseIds(OUTPUT), [(await served(OUTPUT)).id]);
});

t.test('another folder gives the same bytes, another date a new release', async (t) => {
  const other = outputFolder(t);
  await build(t, { ...settings, FEEDS: copyFeeds(t), OUTPUT: other });
  t.ok(readFileSync(geoPath(other)).equals(readFileSync(geoPath(OUTPUT))), 'geo.mmdb');
  const [mine, theirs] = [OUTPUT, other].map((dir) =>
    readFileSync(join(dir, 'current/manifest.json'), 'utf8'),
  );
  t.equal(theirs, mine);
  const before = await served(other);
  await build(t, { ...ALL_FEEDS, FEEDS, OUTPUT: other, SOURCE_DATE_EPOCH: NEXT_EPOCH });
  const after = await served(other);
  t.equal(after.manifest.buildEpoch, Number(NEXT_EPOCH));
  t.equal(after.manifest.buildKey, before.manifest.buildKey);
  t.same(await releaseIds(other), [after.id, before.id]);
});

/** Whether the fixtures have a file. */
function isThere({ folder, name }: PublishedFile): boolean {
  const dir = join(FEEDS, folder);
  if (!existsSync(dir)) return false;
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).some((one) => matchesName(name, one));
}

/** Ids as `ipatlas releases` lists them. */
async function releaseIds(outputDir: string): Promise<string[]> {
  const { stdout } = await ipatlas(t, { OUTPUT: outputDir }, 'releases', '--json');
  const rows = z.array(z.object({ id: z.string() })).parse(JSON.parse(stdout));
  return rows.map(({ id }) => id);
}
