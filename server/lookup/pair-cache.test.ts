import t from 'tap';
import { PairCache } from './pair-cache.js';

t.test('values used again stay, others are dropped after two generations', (t) => {
  const cache = new PairCache<string>(3);
  cache.set(1, 2, 'kept');
  for (let i = 0; i < 20; i++) {
    t.equal(cache.get(1, 2), 'kept');
    cache.set(7, i, 'new');
  }
  t.same([cache.get(7, 0), cache.get(7, 19), cache.get(2, 1)], [undefined, 'new', undefined]);
  t.end();
});
