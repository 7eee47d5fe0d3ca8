import type { AsGraph } from './as-graph.js';
import { numbersOf } from './as-graph.js';
import { maximalCliques } from './maximal-cliques.js';
import { countDegrees, rankAses, type Degrees } from './transit-degrees.js';
import { transitAmong } from './transit-among.js';

/** ASes of the Internet that are known to buy from nobody. */
export const KNOWN_CLIQUE: readonly number[] = [
  174, 701, 1299, 2914, 3257, 3320, 3356, 3491, 5511, 6453, 6461, 6762, 6830, 7018, 12956,
];

/** So many of KNOWN_CLIQUE are in the clique of the Internet, or what was inferred is not it. */
const LEAST_KNOWN = 12;

/** Where so many of KNOWN_CLIQUE are among the first of so many by rank, the paths are those of the Internet. */
const INTERNET_RANKS = 500;

/** The clique is looked for among so many of the first by rank, then completed by those below. */
const SEEDS = 10;

/**
 * Infers the ASes at the top, which reach all others over peers and customers alone (Luckie et al. 2013, §4.3), from
 * the paths of the graph with these numbers. By rank.
 */
export function inferClique(graph: AsGraph, paths: Uint32Array): number[] {
  const degrees = countDegrees(graph, paths);
  const { order, rankOf } = rankAses(degrees, new Uint8Array(graph.asns.length));
  const seeds = inferSeeds(graph, paths, degrees, [...order.subarray(0, SEEDS)]);
  const clique = completeClique(graph, paths, { degrees, order, seeds });
  const known = numbersOf(graph, KNOWN_CLIQUE);
  const isInternet = known.filter((as) => rankOf[as]! < INTERNET_RANKS).length >= LEAST_KNOWN;
  const isDoubtful = known.filter((as) => clique.includes(as)).length < LEAST_KNOWN;
  return (isInternet && isDoubtful ? known : clique).sort((a, b) => rankOf[a]! - rankOf[b]!);
}

/**
 * Of the candidates those with the largest sum of transit degrees that are all neighbours and of whom none hears from
 * another what is behind a third. What a candidate hears that is left out proves nothing: it may be a customer.
 */
function inferSeeds(
  graph: AsGraph,
  paths: Uint32Array,
  degrees: Degrees,
  candidates: readonly number[],
): number[] {
  const { areNeighbours, hears } = transitAmong(graph, paths, candidates);
  const isClique = (group: readonly number[]) =>
    group.every((a) =>
      group.every((b) => a === b || (areNeighbours(a, b) && !group.some((z) => hears(z, a, b)))),
    );
  const groups = subsetsOf(candidates).map((group) => ({ group, sum: sumOf(degrees.transit, group) }));
  groups.sort((a, b) => b.sum - a.sum);
  return groups.find(({ group }) => isClique(group))?.group ?? [];
}

/** The best clique of the seeds and those below that exchange routes with every one of them. */
function completeClique(
  graph: AsGraph,
  paths: Uint32Array,
  { degrees, order, seeds }: { degrees: Degrees; order: Uint32Array; seeds: readonly number[] },
): number[] {
  const { areNeighbours, hears } = transitAmong(graph, paths, seeds);
  const isLinked = (a: number, b: number) =>
    areNeighbours(a, b) && !seeds.some((seed) => hears(seed, a, b) || hears(seed, b, a));
  const members = [...seeds];
  for (const as of order) {
    if (degrees.all[as]! < members.length) break;
    if (!seeds.includes(as) && seeds.every((seed) => isLinked(seed, as))) members.push(as);
  }
  const among = transitAmong(graph, paths, members);
  const exchange = (a: number, b: number) =>
    among.areNeighbours(a, b) && !seeds.some((seed) => among.hears(seed, a, b) || among.hears(seed, b, a));
  const cliques = maximalCliques(members, exchange);
  return cliques.reduce((best, clique) =>
    sumOf(degrees.transit, clique) > sumOf(degrees.transit, best) ? clique : best,
  );
}

function subsetsOf(candidates: readonly number[]): number[][] {
  return Array.from({ length: 1 << candidates.length }, (_, mask) =>
    candidates.filter((_, i) => ((mask >> i) & 1) === 1),
  );
}

function sumOf(degrees: Uint32Array, ases: readonly number[]): number {
  return ases.reduce((sum, as) => sum + degrees[as]!, 0);
}
