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
  const seeds = bestClique(graph, paths, degrees, [...order.subarray(0, SEEDS)]);
  const added = linkedToAll(graph, paths, seeds, order, degrees);
  const clique = bestClique(graph, paths, degrees, [...seeds, ...added]);
  const known = numbersOf(graph, KNOWN_CLIQUE);
  const isInternet = known.filter((as) => rankOf[as]! < INTERNET_RANKS).length >= LEAST_KNOWN;
  const isDoubtful = known.filter((as) => clique.includes(as)).length < LEAST_KNOWN;
  return (isInternet && isDoubtful ? known : clique).sort((a, b) => rankOf[a]! - rankOf[b]!);
}

/** Of the maximal cliques among the candidates the one with the largest sum of transit degrees. */
function bestClique(
  graph: AsGraph,
  paths: Uint32Array,
  degrees: Degrees,
  candidates: readonly number[],
): number[] {
  const isLinked = exchangeTest(graph, paths, candidates);
  let best: number[] = [];
  let most = -1;
  for (const clique of maximalCliques(candidates, isLinked)) {
    const sum = clique.reduce((total, as) => total + degrees.transit[as]!, 0);
    if (sum > most) {
      most = sum;
      best = clique;
    }
  }
  return best;
}

/** ASes below the seeds that exchange routes with every one of them. */
function linkedToAll(
  graph: AsGraph,
  paths: Uint32Array,
  seeds: readonly number[],
  order: Uint32Array,
  degrees: Degrees,
): number[] {
  const isLinked = exchangeTest(graph, paths, seeds);
  const added: number[] = [];
  for (const as of order) {
    if (degrees.all[as]! < seeds.length + added.length) break;
    if (!seeds.includes(as) && seeds.every((seed) => isLinked(seed, as))) added.push(as);
  }
  return added;
}

/** Whether two ASes, one of them a member at least, are neighbours of which none buys from the other. */
function exchangeTest(
  graph: AsGraph,
  paths: Uint32Array,
  members: readonly number[],
): (a: number, b: number) => boolean {
  const { areNeighbours, buys } = transitAmong(graph, paths, members);
  return (a, b) => areNeighbours(a, b) && !buys(a, b) && !buys(b, a);
}
