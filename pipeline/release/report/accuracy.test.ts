import t from 'tap';
import { accuracyTrend } from '../accuracy.js';
import type { Manifest } from '../contract.js';
import type { Scorecard } from '../scorecard.js';
import { datasetsWith, exampleManifest, exampleScorecard } from '../testing/example-release.js';
import { tablesOf } from '../testing/report-tables.js';
import { renderReport } from './render-report.js';

const DAY = 86_400;
const BUILT = 1_794_873_600;

function scored(daysAgo: number, changes: Partial<Scorecard> = {}): Manifest {
  const datasets = datasetsWith(exampleScorecard(changes));
  return { ...exampleManifest(BUILT - daysAgo * DAY), datasets };
}

const CARD = exampleScorecard();
const BEFORE = scored(1, {
  networks: 900,
  all: { ...CARD.all, country: 0.9706, region: 0.79, medianKm: 101.4 },
  mean: { ...CARD.mean, cityId: 0.5996 },
});

t.test('a first release has its shares, a table of one release, and no chart of the trend', (t) => {
  const page = renderReport({ manifest: scored(0) });
  const tables = tablesOf(page);
  t.match(page, '1,000 networks of 10 operators that state');
  t.same(tables['Right answers'], [
    ['Level', 'Chart', 'All networks', 'Mean over operators'],
    ['country', '', '96.4 %', '90.0 %'],
    ['region', '', '80.0 %', '75.0 %'],
    ['city', '', '70.0 %', '60.0 %'],
    ['city by name', '', '65.0 %', '55.0 %'],
    ['≤50 km', '', '85.0 %', '80.0 %'],
    ['within the radius', '', '68.0 %', '70.0 %'],
    ['any country', '', '100.0 %', '99.0 %'],
    ['median distance', '', '2.3 km', ''],
  ]);
  t.same(tables['Kept releases, all networks'], [
    ['Built', 'Networks', 'Operators', 'country', 'region', 'city', '≤50 km', 'median'],
    ['2026-11-17 00:00 UTC', '1,000', '10', '96.4 %', '80.0 %', '70.0 %', '85.0 %', '2.3 km'],
  ]);
  t.notMatch(page, /class="trend"/);
  t.end();
});

t.test('changes since the last release are percentage points', (t) => {
  const page = renderReport({ manifest: scored(0), last: BEFORE });
  const [, country, region, city] = tablesOf(page)['Right answers']!;
  t.match(page, 'The last release had 900 networks of 10 operators.');
  t.same(country, ['country', '', '96.4 %', '−0.7 points', '90.0 %', 'same']);
  t.same(region, ['region', '', '80.0 %', '+1.0 points', '75.0 %', 'same']);
  t.same(city!.slice(3), ['same', '60.0 %', 'same'], 'rounded to one decimal');
  t.match(tablesOf(page)['Right answers']!.at(-1), ['median distance', '', '2.3 km', '101 km before']);
  t.end();
});

t.test('three releases have a chart and a table, the newest first', (t) => {
  const manifest = scored(0);
  const trend = accuracyTrend(manifest, [scored(3), BEFORE]);
  const page = renderReport({ manifest, last: BEFORE, trend });
  const rows = tablesOf(page)['Kept releases, all networks']!.slice(1);
  t.same(
    rows.map(([built, networks, , country]) => [built, networks, country]),
    [
      ['2026-11-17 00:00 UTC', '1,000', '96.4 %'],
      ['2026-11-16 00:00 UTC', '900', '97.1 %'],
      ['2026-11-14 00:00 UTC', '1,000', '96.4 %'],
    ],
  );
  t.match(page, 'Right answers over all networks, from 70 % at the bottom to 100 %');
  t.match(page, /<path class="line0" d="M0 12L66\.67 9\.8L100 12" ?\/>/, 'the times are to scale');
  t.match(
    page,
    /<path class="line2" d="M0 100L66\.67 100L100 100" ?\/>/,
    'the lowest share is at the bottom',
  );
  t.end();
});

t.test('a release without a share leaves a gap, and a level without any has no line', (t) => {
  const manifest = scored(0, { all: { country: 0.5 } });
  const trend = accuracyTrend(manifest, [scored(2, { all: { country: 0.6, region: 0.5 } }), scored(1)]);
  const page = renderReport({ manifest, trend });
  t.match(page, /class="line1" d="M0 [\d.]+L50 [\d.]+"/);
  t.match(tablesOf(page)['Kept releases, all networks']![1], [
    '2026-11-17 00:00 UTC',
    '1,000',
    '10',
    '50.0 %',
    '',
  ]);
  const onlyCountry = accuracyTrend(manifest, [scored(1, { all: { country: 0.5 } })]);
  const bare = renderReport({ manifest, trend: onlyCountry });
  t.match(bare, /class="line0"/);
  t.notMatch(bare, /class="line1" d="M[^"]*L|NaN|median distance/);
  t.end();
});

t.test('the reliability of each level with answers is a table', (t) => {
  const tables = tablesOf(renderReport({ manifest: scored(0) }));
  t.same(tables['country: calibration error 2.4 points (1.5 over networks)'], [
    ['Confidence', 'Chart', 'Networks', 'Says', 'Right'],
    ['80–89 %', '', '100', '85.0 %', '81.5 %'],
    ['90–100 %', '', '900', '95.0 %', '96.3 %'],
  ]);
  t.notOk(Object.keys(tables).some((caption) => caption.startsWith('region')));
  t.end();
});

t.test('the trend has comparable releases from before this one only', (t) => {
  const live: Manifest = { ...scored(1), source: 'live' };
  const kept: Manifest[] = [
    { ...scored(2), source: 'fixtures' },
    { ...scored(3), source: 'live' },
    scored(0),
    live,
    exampleManifest(BUILT - 5 * DAY),
  ];
  t.same(
    accuracyTrend(live, kept).map(({ id }) => id),
    [scored(3).id, live.id],
  );
  t.end();
});

t.test('a release without a scorecard has no section', (t) => {
  t.notMatch(renderReport({ manifest: exampleManifest(BUILT), last: BEFORE }), /id="accuracy"/);
  t.end();
});
