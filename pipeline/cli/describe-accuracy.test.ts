import t from 'tap';
import { datasetsWith, exampleScorecard } from '../release/testing/example-release.js';
import { describeAccuracy } from './describe-accuracy.js';

const CARD = exampleScorecard();
const scored = (changes: Partial<typeof CARD> = {}) => ({ datasets: datasetsWith({ ...CARD, ...changes }) });

t.test('summarises the scorecard of a first release', (t) => {
  t.same(describeAccuracy(scored(), undefined), [
    'accuracy against 1,000 networks of 10 operators, answered without their statements',
    '  all networks: country 96.4 %, region 80.0 %, city 70.0 %, ≤50 km 85.0 %, median 2.3 km',
    '  mean over operators: country 90.0 %, region 75.0 %, city 60.0 %, ≤50 km 80.0 %',
    '  calibration error in percentage points: country 2.4',
  ]);
  t.end();
});

t.test('has the figures of the last release in brackets, where it has them', (t) => {
  const last = scored({
    networks: 900,
    operators: 9,
    all: { country: 0.95, medianKm: 123.4 },
    mean: { region: 0.7 },
    reliability: [{ level: 'country', rows: [], error: 3 }],
  });
  t.same(describeAccuracy(scored(), last), [
    'accuracy against 1,000 networks of 10 operators, answered without their statements (last release: 900 networks of 9 operators)',
    '  all networks: country 96.4 % (95.0 %), region 80.0 %, city 70.0 %, ≤50 km 85.0 %, median 2.3 km (123 km)',
    '  mean over operators: country 90.0 %, region 75.0 % (70.0 %), city 60.0 %, ≤50 km 80.0 %',
    '  calibration error in percentage points: country 2.4 (3.0)',
  ]);
  t.end();
});

t.test('a real release is not compared with one from fixtures', (t) => {
  const real = { ...scored(), source: 'live' as const };
  const lines = describeAccuracy(real, { ...scored(), source: 'fixtures' });
  t.same(lines, describeAccuracy(real, undefined));
  t.end();
});

t.test('has no lines without a scorecard, and no line of errors without confidences', (t) => {
  t.same(describeAccuracy({}, scored()), []);
  t.equal(describeAccuracy(scored({ reliability: [{ level: 'city', rows: [] }] }), undefined).length, 3);
  t.end();
});
