import t from 'tap';
import { reliabilityOf, type Answered } from './reliability.js';

function answers(
  operator: string,
  count: number,
  { confidence, right }: { confidence: number; right: number },
): Answered[] {
  return Array.from({ length: count }, (_, i) => ({ operator, confidence, isRight: i < right }));
}

t.test('answers are compared in rows of ten percentage points', (t) => {
  const { rows, error, errorOfNetworks } = reliabilityOf('city', [
    ...answers('one', 4, { confidence: 75, right: 3 }),
    ...answers('one', 4, { confidence: 90, right: 2 }),
    ...answers('one', 2, { confidence: 99, right: 2 }),
  ]);
  t.match(rows, [
    { from: 70, networks: 4, right: 75 },
    { from: 90, networks: 6 },
  ]);
  t.ok(Math.abs(rows[1]!.says - 93) < 0.006 && Math.abs(rows[1]!.right - 400 / 6) < 0.006);
  t.ok(Math.abs(error! - (6 * (93 - 400 / 6)) / 10) < 0.006);
  t.ok(Math.abs(errorOfNetworks! - error!) < 0.006, 'one operator: every network counts the same');
  t.end();
});

t.test('a large operator counts as the square root of its networks, at most 30', (t) => {
  const { rows } = reliabilityOf('country', [
    ...answers('small', 1, { confidence: 50, right: 1 }),
    ...answers('large', 10_000, { confidence: 50, right: 0 }),
  ]);
  t.equal(rows[0]!.networks, 10_001);
  t.ok(Math.abs(rows[0]!.right - 100 / 31) < 0.006);
  t.end();
});

t.test('without answers there are no rows and no error', (t) => {
  t.same(reliabilityOf('region', []), { level: 'region', rows: [] });
  t.end();
});
