import t from 'tap';
import { fullFeedsOf } from './full-feed.js';
import { smallRib, type SmallRoute } from './testing/small-rib.js';

const routesOf = (prefixes: number, paths: readonly string[]): SmallRoute[] =>
  Array.from({ length: prefixes }, (_, prefix) =>
    paths.map((path) => ({ family: 4 as const, prefix, path: `${path} ${100 + prefix}` })),
  ).flat();

function fullFeedAsns(routes: readonly SmallRoute[]): Record<4 | 6, number[]> {
  const rib = smallRib(routes);
  const isFull = fullFeedsOf(rib);
  const asnsOf = (family: 4 | 6) =>
    [...rib.peers.asns].filter((_, peer) => isFull[family][peer] === 1).sort();
  return { 4: asnsOf(4), 6: asnsOf(6) };
}

t.test(
  'a full feed has four fifths of the largest number of prefixes; a family without prefixes has no full feed',
  (t) => {
    t.same(fullFeedAsns([...routesOf(10, ['1']), ...routesOf(8, ['2']), ...routesOf(7, ['3'])]), {
      4: [1, 2],
      6: [],
    });
    t.end();
  },
);

t.test('several paths of a peer to one prefix count once, even if not adjacent', (t) => {
  const twice = ['1 7', '2 7', '1 8', '2 8'];
  t.same(fullFeedAsns([...routesOf(6, twice), ...routesOf(10, ['3'])]), { 4: [3], 6: [] });
  t.end();
});
