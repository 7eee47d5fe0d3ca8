import t from 'tap';
import { TupleMemo } from './tuple-memo.js';

/** More tuples than the memo has room for at first, so that it grows several times. */
const COUNT = 5000;
const ALL = Array.from({ length: COUNT }, (_, i) => i);

/** Returns tuple `i` of three integers. All differ; many share their first or last integer. */
function tupleOf(i: number): Int32Array {
  return Int32Array.of(i % 7, -i, i % 3);
}

t.test('positions and tuples stay the same while the memo grows', (t) => {
  const memo = new TupleMemo(3);
  const misplaced = () => ALL.filter((i) => memo.number(tupleOf(i)) !== i).length;
  t.equal(misplaced(), 0, 'tuples are numbered in the order in which they were first seen');
  t.equal(misplaced(), 0, 'known tuples keep their positions');
  t.equal(memo.size, COUNT);
  const { tuples } = memo;
  t.equal(tuples.length, 3 * COUNT);
  const wrong = ALL.filter((i) => tupleOf(i).some((integer, at) => tuples[3 * i + at] !== integer));
  t.equal(wrong.length, 0);
  t.equal(memo.at(COUNT - 1, 1), 1 - COUNT);
  t.end();
});

t.test('an answer is computed once per tuple, also while the memo grows', (t) => {
  const memo = new TupleMemo(3);
  let computed = 0;
  const resolve = (i: number) => memo.resolve(tupleOf(i), () => (computed++, i * 10));
  const wrong = ALL.filter((i) => {
    const earlier = i >>> 1;
    return resolve(i) !== i * 10 || resolve(earlier) !== earlier * 10;
  });
  t.equal(wrong.length, 0);
  t.equal(computed, COUNT);
  t.equal(memo.size, COUNT);
  t.end();
});

t.test('answers are unsigned: -1 is 4294967295', (t) => {
  const memo = new TupleMemo(1);
  const tuple = Int32Array.of(5);
  t.equal(
    memo.resolve(tuple, () => -1),
    0xffff_ffff,
  );
  t.equal(
    memo.resolve(tuple, () => 0),
    0xffff_ffff,
  );
  t.end();
});
