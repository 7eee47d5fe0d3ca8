import t from 'tap';
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

t.test('a first release has its shares', (t) => {
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

t.test('a release without a scorecard has no section', (t) => {
  t.notMatch(renderReport({ manifest: exampleManifest(BUILT), last: BEFORE }), /id="accuracy"/);
  t.end();
});
