import t from 'tap';
import { graphOf } from './testing/inference.js';

t.test('links are numbered by their lower AS, then by their higher AS', (t) => {
  const { graph } = graphOf(['20 10 5 30', '10 30 20', '5 20']);
  const links = Array.from({ length: graph.tails.length / 2 }, (_, link) =>
    [graph.tails[link * 2]!, graph.tails[link * 2 + 1]!].map((as) => graph.asns[as]),
  );
  t.same(links, [
    [5, 10],
    [5, 20],
    [5, 30],
    [10, 20],
    [10, 30],
    [20, 30],
  ]);
  t.end();
});
