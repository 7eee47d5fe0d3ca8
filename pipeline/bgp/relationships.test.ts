import t from 'tap';
import { Relationships } from './relationships.js';
import { graphOf, printLabels } from './testing/inference.js';

function relationshipsOf(lines: readonly string[], clique: readonly number[] = []) {
  const { graph, paths } = graphOf(lines);
  const isInClique = Uint8Array.from(graph.asns, (asn) => (clique.includes(asn) ? 1 : 0));
  const relationships = new Relationships(graph, isInClique);
  const arcOf = (from: number, to: number) =>
    graph.tails.findIndex(
      (tail, arc) => graph.asns[tail] === from && graph.asns[graph.tails[arc ^ 1]!] === to,
    );
  const print = () => printLabels(graph, { labels: relationships.labels, clique: [], paths });
  return { relationships, arcOf, print };
}

t.test('a link keeps its first label', (t) => {
  const { relationships, arcOf, print } = relationshipsOf(['1 2 3']);
  t.ok(relationships.setProvider(arcOf(2, 1)));
  t.notOk(relationships.setProvider(arcOf(1, 2)));
  relationships.setPeers(arcOf(1, 2));
  relationships.setPeers(arcOf(3, 2));
  t.notOk(relationships.setProvider(arcOf(2, 3)));
  t.same(print(), ['2=3', '2>1']);
  t.ok(relationships.provides(arcOf(2, 1)));
  t.notOk(relationships.provides(arcOf(1, 2)));
  t.ok(relationships.arePeers(arcOf(3, 2)));
  t.end();
});

t.test('an AS does not become its own indirect provider', (t) => {
  const { relationships, arcOf, print } = relationshipsOf(['1 2 3 4 1', '9 3']);
  t.ok(relationships.setProvider(arcOf(1, 2)));
  t.ok(relationships.setProvider(arcOf(2, 3)));
  t.ok(relationships.setProvider(arcOf(9, 3)));
  t.ok(relationships.setProvider(arcOf(3, 4)));
  t.notOk(relationships.setProvider(arcOf(4, 1)));
  t.ok(relationships.setProvider(arcOf(1, 4)));
  t.same(print(), ['1>2', '1>4', '2>3', '3>4', '9>3']);
  t.end();
});

t.test('a member of the clique gets no provider', (t) => {
  const { relationships, arcOf } = relationshipsOf(['1 2'], [2]);
  t.notOk(relationships.setProvider(arcOf(1, 2)));
  const AS1 = 0;
  t.notOk(relationships.hasProvider(AS1));
  t.ok(relationships.setProvider(arcOf(2, 1)));
  t.ok(relationships.hasProvider(AS1));
  t.end();
});
