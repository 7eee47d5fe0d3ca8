import t from 'tap';
import { CountPerKey } from './count-per-key.js';

t.test('keys are counted separately, and a key that everything has left takes no memory', (t) => {
  const counts = new CountPerKey();
  t.equal(counts.of('a'), 0);
  for (const key of ['a', 'a', 'b']) counts.enter(key);
  t.same([counts.of('a'), counts.of('b'), counts.keys], [2, 1, 2]);
  counts.leave('a');
  counts.leave('b');
  t.same([counts.of('a'), counts.of('b'), counts.keys], [1, 0, 1]);
  counts.leave('a');
  t.equal(counts.keys, 0);
  t.end();
});
