import t from 'tap';
import { DistinctPaths } from './distinct-paths.js';

t.test('paths are numbered in the order in which they were first added', (t) => {
  const distinct = new DistinctPaths();
  const add = (...asns: readonly number[]) => distinct.add(Uint32Array.from([...asns, 99]), asns.length);
  t.same([add(1, 2), add(2, 1), add(1, 2), add(1), add(1, 2, 3), add(2, 1)], [0, 1, 0, 2, 3, 1]);
  t.equal(distinct.size, 4);
  t.same([...distinct.paths.offsets], [0, 2, 4, 5, 8]);
  t.same([...distinct.paths.asns], [1, 2, 2, 1, 1, 1, 2, 3]);
  t.end();
});

t.test('paths with equal hashes are distinct', (t) => {
  // Of so many paths about eight pairs have the same hash of 32 bits.
  const count = 1 << 18;
  const distinct = new DistinctPaths();
  const path = new Uint32Array(2);
  let seed = 1;
  const next = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0);
  for (let i = 0; i < count; i++) {
    path[0] = next();
    path[1] = i;
    distinct.add(path, 2);
  }
  t.equal(distinct.size, count);
  t.end();
});
