import t from 'tap';
import { inferClique, KNOWN_CLIQUE } from './clique.js';
import { graphOf } from './testing/inference.js';
import { smallInternet } from './testing/small-internet.js';

function cliqueOf(lines: readonly string[]): number[] {
  const { graph, paths } = graphOf(lines);
  return inferClique(graph, paths).map((as) => graph.asns[as]!);
}

/** Paths between every two members and their customers, which are `member * 100 + 1` and so on. */
function meshOf(members: readonly number[], customers: number): string[] {
  return members.flatMap((a) =>
    members.flatMap((b) =>
      a === b
        ? []
        : Array.from({ length: customers }, (_, i) => `${a * 100 + 1} ${a} ${b} ${b * 100 + i + 1}`),
    ),
  );
}

t.test('the clique of a small internet is found', (t) => {
  const { paths, clique } = smallInternet(14);
  t.same(cliqueOf(paths).sort(), clique);
  t.end();
});

t.test('a customer of members is not a member, although it has more neighbours', (t) => {
  const bought = Array.from({ length: 8 }, (_, i) =>
    ['1 2 9', '3 1 9', '3 2 9', '101 3 9'].map((way) => `${way} ${901 + i}`),
  );
  t.same(cliqueOf([...meshOf([1, 2, 3], 5), ...bought.flat()]).sort(), [1, 2, 3]);
  t.end();
});

t.test('a leak with two next hops does not exclude a member', (t) => {
  const leaked = ['1 2 3 301', '1 2 3 302'];
  t.same(cliqueOf([...meshOf([1, 2, 3], 5), ...leaked]).sort(), [1, 2, 3]);
  t.end();
});

t.test('five next hops are a leak if the member is never the origin, and transit if it is', (t) => {
  const leaked = Array.from({ length: 5 }, (_, i) => `1 2 3 ${301 + i}`);
  t.same(cliqueOf([...meshOf([1, 2, 3], 6), ...leaked]).sort(), [1, 2, 3]);
  t.not(cliqueOf([...meshOf([1, 2, 3], 6), ...leaked, '1 2 3']).length, 3);
  t.end();
});

t.test('the clique is completed with ASes below the first ten', (t) => {
  const members = Array.from({ length: 13 }, (_, i) => i + 1);
  t.same(
    cliqueOf(meshOf(members, 4)).sort((a, b) => a - b),
    members,
  );
  t.end();
});

t.test('of two ASes that exchange routes with the first ten, the one with more neighbours is added', (t) => {
  const ten = Array.from({ length: 10 }, (_, i) => i + 1);
  const joined = (as: number, customers: number) =>
    ten.flatMap((member) => [
      `${as * 100 + 1} ${as} ${member} ${member * 100 + 1}`,
      ...Array.from(
        { length: customers },
        (_, i) => `${member * 100 + 1} ${member} ${as} ${as * 100 + i + 1}`,
      ),
    ]);
  const core = meshOf(ten, 6);
  const sorted = (lines: readonly string[]) => cliqueOf(lines).sort((a, b) => a - b);
  t.same(sorted([...core, ...joined(11, 4), ...joined(12, 2)]), [...ten, 11]);
  t.same(sorted([...core, ...joined(11, 2), ...joined(12, 4)]), [...ten, 12]);
  t.end();
});

t.test('the known clique replaces a different one if its ASes have high ranks', (t) => {
  const isolated = KNOWN_CLIQUE.flatMap((asn) => [`${asn + 1e6} ${asn} ${asn + 2e6}`]);
  const mesh = meshOf([1, 2, 3], 9);
  t.same(cliqueOf([...mesh, ...isolated]).sort(), [...KNOWN_CLIQUE].sort());
  t.same(cliqueOf(mesh).sort(), [1, 2, 3]);
  t.end();
});

t.test('a clique with twelve known members is kept', (t) => {
  const [members, others] = [KNOWN_CLIQUE.slice(0, 12), KNOWN_CLIQUE.slice(12)];
  const isolated = others.map((asn) => `${asn + 1e6} ${asn} ${asn + 2e6}`);
  t.same(cliqueOf([...meshOf(members, 4), ...isolated]).sort(), [...members].sort());
  t.end();
});

t.test('an AS that has no neighbours but the members is a member', (t) => {
  const ten = Array.from({ length: 10 }, (_, i) => i + 1);
  const joined = ten.map((member) => `${member * 100 + 1} ${member} 11`);
  t.same(
    cliqueOf([...meshOf(ten, 6), ...joined]).sort((a, b) => a - b),
    [...ten, 11],
  );
  t.end();
});
