import { numbersOf, type AsGraph } from './as-graph.js';
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

/** Paths of a graph, and what was counted in them. */
interface Counted {
  readonly paths: Uint32Array;
  readonly degrees: Degrees;
}

/**
 * Infers the ASes at the top, which reach all others over peers and customers alone (Luckie et al. 2013, §4.3), from
 * the paths of the graph with these numbers. By rank.
 */
export function inferClique(graph: AsGraph, paths: Uint32Array): number[] {
  const counted = { paths, degrees: countDegrees(graph, paths) };
  const { order, rankOf } = rankAses(counted.degrees, new Uint8Array(graph.asns.length));
  const seeds = inferSeeds(graph, counted, [...order.subarray(0, SEEDS)]);
  const clique = completeClique(graph, counted, seeds, order);
  const known = numbersOf(graph, KNOWN_CLIQUE);
  const isInternet = known.filter((as) => rankOf[as]! < INTERNET_RANKS).length >= LEAST_KNOWN;
  const isDoubtful = known.filter((as) => clique.includes(as)).length < LEAST_KNOWN;
  return (isInternet && isDoubtful ? known : clique).sort((a, b) => rankOf[a]! - rankOf[b]!);
}

/**
 * Of the candidates those with the largest sum of transit degrees that are all neighbours and of whom none hears from
 * another what is behind a third. What a candidate hears that is left out proves nothing: it may be a customer.
 */
function inferSeeds(graph: AsGraph, counted: Counted, candidates: readonly number[]): number[] {
  const { areNeighbours, hears } = transitAmong(graph, counted, candidates);
  const isClique = (group: readonly number[]) =>
    group.every((a) =>
      group.every((b) => a === b || (areNeighbours(a, b) && !group.some((z) => hears(z, a, b)))),
    );
  const { transit } = counted.degrees;
  const groups = subsetsOf(candidates).map((group) => ({ group, sum: sumOf(transit, group) }));
  groups.sort((a, b) => b.sum - a.sum);
  return groups.find(({ group }) => isClique(group))?.group ?? [];
}

/** The best clique of the seeds and of those below that exchange routes with every one of them. */
function completeClique(
  graph: AsGraph,
  counted: Counted,
  seeds: readonly number[],
  order: Uint32Array,
): number[] {
  const { all, transit } = counted.degrees;
  const isLinkedToSeed = exchangeTest(graph, counted, seeds, seeds);
  const members = [...seeds];
  for (const as of order) {
    if (all[as]! < members.length) break;
    if (!seeds.includes(as) && seeds.every((seed) => isLinkedToSeed(seed, as))) members.push(as);
  }
  const cliques = maximalCliques(members, exchangeTest(graph, counted, members, seeds));
  return cliques.reduce((best, clique) => (sumOf(transit, clique) > sumOf(transit, best) ? clique : best));
}

/** Whether two ASes, one of them a member, are neighbours, and no seed hears of either over the other. */
function exchangeTest(
  graph: AsGraph,
  counted: Counted,
  members: readonly number[],
  seeds: readonly number[],
): (a: number, b: number) => boolean {
  const { areNeighbours, hears } = transitAmong(graph, counted, members);
  return (a, b) => areNeighbours(a, b) && !seeds.some((seed) => hears(seed, a, b) || hears(seed, b, a));
}

function subsetsOf(candidates: readonly number[]): number[][] {
  return Array.from({ length: 1 << candidates.length }, (_, mask) =>
    candidates.filter((_, i) => ((mask >> i) & 1) === 1),
  );
}

function sumOf(degrees: Uint32Array, ases: readonly number[]): number {
  return ases.reduce((sum, as) => sum + degrees[as]!, 0);
}
