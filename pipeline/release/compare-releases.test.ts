import t from 'tap';
import { parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import { compareFeeds } from './compare-feeds.js';
import type { GeoTable } from './compare-geo.js';
import { compareReleases } from './compare-releases.js';
import type { RouteOrigins } from './compare-routes.js';
import type { Manifest } from './contract.js';
import { formatComparison } from './format-comparison.js';
import {
  datasetsWith,
  exampleFile,
  exampleInput,
  exampleManifest,
  exampleScorecard,
} from './testing/example-release.js';
import type { Release } from './release-store.js';

const COVERAGE = { networks: 1, ipv4Addresses: 256, ipv6Slash64s: 0 };

function release(buildEpoch: number, changes: Partial<Manifest>): Release {
  const manifest = { ...exampleManifest(buildEpoch), ...changes };
  return { id: manifest.id, dir: `/releases/${manifest.id}`, manifest };
}

function geo(country: string, prefixes: readonly string[]): GeoTable {
  const table = new PrefixTable();
  for (const text of prefixes) {
    const prefix = parsePrefix(text)!;
    table.insert(prefix.address, prefix.length, 0);
  }
  return { table: table.flatten(), records: [{ country, key: country }] };
}

const NONE: RouteOrigins = new Map();

function readersOf(geo: (dir: string) => GeoTable, routes: (dir: string) => RouteOrigins = () => NONE) {
  return {
    geo: (dir: string) => Promise.resolve(geo(dir)),
    routes: (dir: string) => Promise.resolve(routes(dir)),
    types: () => Promise.reject(new Error('no ISP dataset')),
  };
}

const own = exampleInput('own', 1000);
const before = release(100, {
  inputs: [own, exampleInput('dbip', 50)],
  files: [{ ...exampleFile('x'), coverageByFeed: { own: COVERAGE } }],
});
const after = release(200, {
  inputs: [
    {
      ...exampleInput('own', 1234567),
      adapterVersion: 2,
      files: [...exampleInput('own', 1234567).files, { ...own.files[0]!, id: 'own/extra.csv' }],
      refusals: [
        { file: 'own/geofeed.csv', refusal: 'truncated', found: 'ends early', usedInstead: 'nothing' },
      ],
    },
    exampleInput('ipinfo', 7),
  ],
  files: [{ ...exampleFile('y'), coverageByFeed: { own: { ...COVERAGE, ipv4Addresses: 16777216 } } }],
});

t.test('feeds are compared by rows, coverage, snapshots, adapter and refusals', (t) => {
  const changes = compareFeeds(before.manifest, after.manifest);
  t.same(
    changes.map(({ feed }) => feed),
    ['own', 'ipinfo', 'dbip'],
  );
  t.match(changes[0], {
    accepted: { before: 1000, after: 1235567 },
    rejected: { before: 1, after: 2 },
    adapterVersion: { before: 1, after: 2 },
    coverage: { before: { ipv4Addresses: 256 }, after: { ipv4Addresses: 16777216 } },
    snapshots: [
      { id: 'own/all.csv', state: 'changed' },
      { id: 'own/extra.csv', state: 'added' },
    ],
    refusals: { before: [], after: [{ refusal: 'truncated' }] },
  });
  t.same(changes[1]?.accepted, { before: undefined, after: 7 });
  t.match(changes[2], { snapshots: [{ id: 'dbip/all.csv', state: 'removed' }] });
  t.same(compareFeeds(before.manifest, before.manifest)[0]?.snapshots, [
    { id: 'own/all.csv', state: 'same' },
  ]);
  t.end();
});

t.test('a comparison reads the two folders, survives JSON and prints in aligned columns', async (t) => {
  const tables: Record<string, GeoTable> = {
    [before.dir]: geo('US', ['1.0.0.0/8', '2001:db8::/48']),
    [after.dir]: geo('CN', ['1.0.0.0/9']),
  };
  const comparison = await compareReleases(
    before,
    after,
    readersOf((dir) => tables[dir]!),
  );
  t.match(JSON.parse(JSON.stringify(comparison)), {
    before: before.id,
    after: after.id,
    geo: { changes: { moved: { ipv4Addresses: 8388608 }, removed: { ipv6Slash64s: 65536 } } },
  });
  t.equal(
    formatComparison(comparison),
    `${before.id} -> ${after.id}

addresses        IPv4  IPv6 /64s
before     16,777,216     65,536
after       8,388,608          0
unchanged           0          0
added               0          0
removed     8,388,608     65,536
moved       8,388,608          0
changed             0          0

country  IPv4 gained         lost        now  IPv6 /64s gained     lost  now
US                 0  -16,777,216          0                 0  -65,536    0
CN        +8,388,608            0  8,388,608                 0        0    0

moved          IPv4  IPv6 /64s
US -> CN  8,388,608          0

feed     rows        now  rejected  now        IPv4         now   IPv6 /64s  now
                                            decided                 decided
own     1,000  1,235,567         1    2         256  16,777,216           0    0
ipinfo      -          7         -    1           -           -           -    -
dbip       50          -         1    -           -           -           -    -

own: own/all.csv changed
own: own/extra.csv added
own: adapter 1 -> 2
own: own/geofeed.csv refused (truncated: ends early), used instead: nothing
ipinfo: ipinfo/all.csv added
dbip: dbip/all.csv removed
`,
  );
});

t.test('shows the 15 countries with the largest changes and the number of others', async (t) => {
  const codes = Array.from({ length: 20 }, (_, i) => `A${String.fromCharCode(65 + i)}`);
  const table = new PrefixTable();
  codes.forEach((_, i) => table.insert(parsePrefix(`10.0.${i}.0/24`)!.address, 120 - (i % 2), i));
  const full = { table: table.flatten(), records: codes.map((country) => ({ country, key: country })) };
  const empty = geo('US', []);
  const comparison = await compareReleases(
    before,
    after,
    readersOf((dir) => (dir === before.dir ? empty : full)),
  );
  t.equal(comparison.geo.countries.length, 20);
  const text = formatComparison(comparison);
  t.equal(text.split('\n').filter((line) => /^A[A-T] /.test(line)).length, 15);
  t.match(text, 'and 5 more countries');
});

t.test('a comparison of a release with itself has no countries and moves', async (t) => {
  const table = geo('US', ['1.0.0.0/8']);
  const text = formatComparison(
    await compareReleases(
      before,
      before,
      readersOf(() => table),
    ),
  );
  t.notMatch(text, /country|moved {2,}IPv4/);
  t.match(text, 'own: 1 of 1 snapshots the same');
});

t.test('announced prefixes are compared where both releases have a routing table', async (t) => {
  const table = geo('US', ['1.0.0.0/8']);
  const withRoutes = (one: Release): Release => {
    const { manifest } = one;
    const routes = { ...manifest.files[0]!, name: 'routes.mmdb' };
    return { ...one, manifest: { ...manifest, files: [...manifest.files, routes] } };
  };
  const tables: Record<string, RouteOrigins> = {
    [before.dir]: new Map([
      ['1.0.0.0/24', 13335],
      ['1.0.4.0/24', 56203],
      ['1.0.5.0/24', undefined],
      ['1.0.6.0/24', undefined],
    ]),
    [after.dir]: new Map([
      ['1.0.0.0/24', 13335],
      ['1.0.5.0/24', 38803],
      ['1.0.6.0/24', undefined],
      ['1.0.7.0/24', 1],
      ['1.0.8.0/24', 1],
    ]),
  };
  const readers = readersOf(
    () => table,
    (dir) => tables[dir]!,
  );
  const comparison = await compareReleases(withRoutes(before), withRoutes(after), readers);
  t.same(comparison.routes, { before: 4, after: 5, appeared: 2, disappeared: 1, changedOrigin: 1 });
  t.match(
    formatComparison(comparison),
    `
prefixes        announced
before                  4
after                   5
appeared                2
disappeared             1
changed origin          1
`,
  );
  t.equal((await compareReleases(before, withRoutes(after), readers)).routes, undefined);
});

t.test('types of proxies are compared where both releases have an ISP dataset', async (t) => {
  const table = geo('US', ['1.0.0.0/8']);
  const withIsp = (one: Release): Release => {
    const { manifest } = one;
    const isp = { ...manifest.files[0]!, name: 'isp.mmdb' };
    return { ...one, manifest: { ...manifest, files: [...manifest.files, isp] } };
  };
  const typed = (type: string) => {
    const { table } = geo(type, ['9.9.9.0/24']);
    return { table, records: [{ type, key: type }] };
  };
  const read = {
    ...readersOf(() => table),
    types: (dir: string) => Promise.resolve(typed(dir === before.dir ? 'VPN' : 'TOR')),
  };
  const comparison = await compareReleases(withIsp(before), withIsp(after), read);
  t.match(
    formatComparison(comparison),
    `
proxy type  IPv4 gained  lost  now  IPv6 /64s gained  lost  now
TOR                +256     0  256                 0     0    0
VPN                   0  -256    0                 0     0    0

became      IPv4  IPv6 /64s
VPN -> TOR   256          0
`,
  );
  t.equal((await compareReleases(before, withIsp(after), read)).types, undefined);
});

t.test('accuracy is compared where both releases have a scorecard', async (t) => {
  const table = geo('US', ['1.0.0.0/8']);
  const card = exampleScorecard();
  const scored = (one: Release, changes: Partial<typeof card>): Release => ({
    ...one,
    manifest: { ...one.manifest, datasets: datasetsWith({ ...card, ...changes }) },
  });
  const withoutRegion = { country: 0.85, cityId: 0.61, within50Km: 0.8 };
  const comparison = await compareReleases(
    scored(before, {}),
    scored(after, { networks: 1200, mean: withoutRegion }),
    readersOf(() => table),
  );
  t.match(
    formatComparison(comparison),
    `
accuracy         before   after       change
networks          1,000   1,200         +200
operators            10      10            0
country          96.4 %  96.4 %   0.0 points
region           80.0 %  80.0 %   0.0 points
city             70.0 %  70.0 %   0.0 points
≤50 km           85.0 %  85.0 %   0.0 points
country, mean    90.0 %  85.0 %  -5.0 points
region, mean     75.0 %       -
city, mean       60.0 %  61.0 %  +1.0 points
≤50 km, mean     80.0 %  80.0 %   0.0 points
median distance  2.3 km  2.3 km
`,
  );
  const readers = readersOf(() => table);
  t.equal((await compareReleases(before, scored(after, {}), readers)).accuracy, undefined);
});
