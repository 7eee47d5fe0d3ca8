import t from 'tap';
import type { Manifest } from '../contract.js';
import type { Scorecard } from '../scorecard.js';
import { datasetsWith, exampleFile, exampleManifest, exampleScorecard } from '../testing/example-release.js';
import { tablesOf } from '../testing/report-tables.js';
import { releaseTrend } from '../trend.js';
import { renderReport } from './render-report.js';

const DAY = 86_400;
const BUILT = 1_794_873_600;

interface Changes {
  readonly networks?: number;
  readonly all?: Scorecard['all'];
  readonly buildSeconds?: number;
}

function release(daysAgo: number, { networks = 3, all, buildSeconds }: Changes = {}): Manifest {
  return {
    ...exampleManifest(BUILT - daysAgo * DAY),
    files: [exampleFile('x', { networks })],
    ...(all && { datasets: datasetsWith(exampleScorecard({ all })) }),
    ...(buildSeconds !== undefined && { buildSeconds }),
  };
}

t.test('each figure of the kept releases has a chart with its range, and a table has all values', (t) => {
  const manifest = release(0, { networks: 6_500_000, buildSeconds: 98 });
  const kept = [
    release(3, { networks: 6_000_000, all: { country: 0.9 } }),
    release(1, { networks: 7_000_000 }),
  ];
  const page = renderReport({ manifest, trend: releaseTrend(manifest, kept) });
  t.match(page, '3 kept releases, from 2026-11-14 to 2026-11-17.');
  t.match(page, 'aria-label="geo.mmdb networks: from 6 M to 7 M"');
  t.match(page, /<path class="line" d="M0 100L66\.67 0L100 50" ?\/>/, 'times and values are to scale');
  t.match(page, 'aria-label="size of all files: from 1 byte to 1 byte"');
  t.match(page, /<path class="line" d="M0 50L66\.67 50L100 50" ?\/>/, 'a constant is in the middle');
  const [heads, ...rows] = tablesOf(page)['Kept releases']!;
  t.same(heads, [
    ...['Built', 'geo.mmdb networks', 'size of all files', 'rows accepted', 'rows rejected'],
    ...['right answers: country', 'build time'],
  ]);
  t.same(rows, [
    ['2026-11-17 00:00 UTC', '6.5 M', '1 byte', '5', '1', '', '1 min 38 s'],
    ['2026-11-16 00:00 UTC', '7 M', '1 byte', '5', '1', '', ''],
    ['2026-11-14 00:00 UTC', '6 M', '1 byte', '5', '1', '90.0 %', ''],
  ]);
  t.notMatch(page, 'aria-label="build time', 'a figure of one release has no chart');
  t.end();
});

t.test('the trend has the share of addresses with another place, also of removed ones', (t) => {
  const changes = (removed: number, gained: number, changed: number) => ({
    changes: { since: 'x', removed, countries: { FR: { ipv4Addresses: 900, gained, changed } } },
  });
  const manifest = { ...release(0), ...changes(100, 150, 50) };
  const kept = [release(2), { ...release(1), ...changes(0, 0, 9) }];
  const page = renderReport({ manifest, trend: releaseTrend(manifest, kept) });
  t.match(page, 'aria-label="addresses with another place: from 1 % to 30 %"');
  const rows = tablesOf(page)['Kept releases']!;
  const at = rows[0]!.indexOf('addresses with another place');
  t.same(
    rows.slice(1).map((row) => row[at]),
    ['30 %', '1 %', ''],
  );
  t.end();
});

t.test('absent values are left out of a chart', (t) => {
  const manifest = release(0, { all: { country: 0.5 } });
  const kept = [release(4, { all: { country: 0.6 } }), release(1)];
  const page = renderReport({ manifest, trend: releaseTrend(manifest, kept) });
  t.match(page, 'aria-label="right answers: country: from 50.0 % to 60.0 %"');
  t.match(page, /<path class="line" d="M0 0L100 100" ?\/>/);
  t.notMatch(page, /NaN|Infinity|right answers: region/);
  t.end();
});

t.test('the trend has comparable releases from before this one only', (t) => {
  const live: Manifest = { ...release(1), source: 'live' };
  const kept: Manifest[] = [
    { ...release(2), source: 'fixtures' },
    { ...release(3), source: 'live' },
    release(0),
    live,
  ];
  t.same(
    releaseTrend(live, kept).map(({ id }) => id),
    [release(3).id, live.id],
  );
  t.end();
});
