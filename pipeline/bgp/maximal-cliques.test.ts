import t from 'tap';
import { maximalCliques } from './maximal-cliques.js';

const sorted = (cliques: readonly (readonly number[])[]) =>
  cliques.map((clique) => [...clique].sort((a, b) => a - b).join(' ')).sort();

t.test('the maximal cliques of a small graph are found', (t) => {
  const links = new Set(['1 2', '1 3', '2 3', '3 4', '5 6']);
  const isLinked = (a: number, b: number) => links.has(`${Math.min(a, b)} ${Math.max(a, b)}`);
  t.same(sorted(maximalCliques([1, 2, 3, 4, 5, 6, 7], isLinked)), ['1 2 3', '3 4', '5 6', '7']);
  t.end();
});

t.test('the result agrees with a search of all subsets', (t) => {
  for (let seed = 1; seed <= 20; seed++) {
    const nodes = Array.from({ length: 9 }, (_, i) => i);
    const isLinked = (a: number, b: number) =>
      ((Math.imul(Math.min(a, b) * 31 + Math.max(a, b) + 7, 0x9e3779b1 + seed * 2) >>> 16) & 3) > 0;
    const cliques = nodes.reduce<number[][]>(
      (all, node) => [
        ...all,
        ...all.filter((clique) => clique.every((other) => isLinked(node, other))).map((c) => [...c, node]),
      ],
      [[]],
    );
    const maximal = cliques.filter(
      (clique) =>
        !nodes.some((node) => !clique.includes(node) && clique.every((other) => isLinked(node, other))),
    );
    t.same(sorted(maximalCliques(nodes, isLinked)), sorted(maximal));
  }
  t.end();
});
