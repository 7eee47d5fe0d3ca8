import { numbersOf, type AsGraph } from './as-graph.js';
import { maximalCliques } from './maximal-cliques.js';
import { countDegrees, rankAses, type Degrees } from './transit-degrees.js';
import { transitAmong } from './transit-among.js';

/** ASes of the Internet that are known to have no transit provider. */
export const KNOWN_CLIQUE: readonly number[] = [
  174, 701, 1299, 2914, 3257, 3320, 3356, 3491, 5511, 6453, 6461, 6762, 6830, 7018, 12956,
];

/** An inferred clique of the Internet with fewer members of KNOWN_CLIQUE is replaced by KNOWN_CLIQUE. */
const LEAST_KNOWN = 12;

/**
 * The paths are those of the Internet if LEAST_KNOWN members of KNOWN_CLIQUE are among this many ASes of highest rank.
 */
const INTERNET_RANKS = 500;

/** The number of ASes of highest rank in which the clique is searched before lower ranks complete it. */
const SEEDS = 10;

/** Paths of a graph with their degrees. */
interface Counted {
  readonly paths: Uint32Array;
  readonly degrees: Degrees;
}

/**
 * Infers the clique: the ASes that reach all others without a transit provider (Luckie et al. 2013, §4.3). `paths` are
 * path numbers of the graph. Returns graph numbers of ASes, sorted by rank.
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
 * Returns the group of candidates with the largest sum of transit degrees in which all are neighbours and no member
 * receives routes of a second one from a third. Only evidence from members of the group counts, because a candidate
 * outside the group may be a customer.
 */
function inferSeeds(graph: AsGraph, counted: Counted, candidates: readonly number[]): number[] {
  const { areNeighbours, receives } = transitAmong(graph, counted, candidates);
  const isClique = (group: readonly number[]) =>
    group.every((a) =>
      group.every((b) => a === b || (areNeighbours(a, b) && !group.some((z) => receives(z, a, b)))),
    );
  const { transit } = counted.degrees;
  const groups = subsetsOf(candidates).map((group) => ({ group, sum: sumOf(transit, group) }));
  groups.sort((a, b) => b.sum - a.sum);
  return groups.find(({ group }) => isClique(group))?.group ?? [];
}

/** Returns the heaviest clique among the seeds and the lower-ranked ASes that exchange routes with every seed. */
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

/**
 * Returns a test whether two ASes (at least one a member) are neighbours and no seed receives routes of one over the
 * other.
 */
function exchangeTest(
  graph: AsGraph,
  counted: Counted,
  members: readonly number[],
  seeds: readonly number[],
): (a: number, b: number) => boolean {
  const { areNeighbours, receives } = transitAmong(graph, counted, members);
  return (a, b) => areNeighbours(a, b) && !seeds.some((seed) => receives(seed, a, b) || receives(seed, b, a));
}

function subsetsOf(candidates: readonly number[]): number[][] {
  return Array.from({ length: 1 << candidates.length }, (_, mask) =>
    candidates.filter((_, i) => ((mask >> i) & 1) === 1),
  );
}

function sumOf(degrees: Uint32Array, ases: readonly number[]): number {
  return ases.reduce((sum, as) => sum + degrees[as]!, 0);
}
