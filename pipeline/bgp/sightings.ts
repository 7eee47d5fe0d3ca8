import type { AsGraph } from './as-graph.js';
import { countDegrees, rankAses, type Degrees, type Ranking } from './transit-degrees.js';
import { Triplets } from './triplets.js';

/** What the steps of AS-Rank look at: some of the paths of a graph, counted and ranked. */
export interface Sightings {
  readonly graph: AsGraph;
  readonly paths: Uint32Array;
  readonly degrees: Degrees;
  readonly ranking: Ranking;
  readonly triplets: Triplets;
  /** Arcs from an AS to its neighbours, these by rank. */
  neighboursOf(as: number): Uint32Array;
}

/** Counts and ranks what the paths of these numbers show. */
export function sightingsOf(graph: AsGraph, paths: Uint32Array, isInClique: Uint8Array): Sightings {
  const degrees = countDegrees(graph, paths);
  const ranking = rankAses(degrees, isInClique);
  const triplets = new Triplets(graph, paths);
  const { starts, arcs } = neighboursByRank(graph, degrees, ranking);
  const neighboursOf = (as: number) => arcs.subarray(starts[as], starts[as + 1]);
  return { graph, paths, degrees, ranking, triplets, neighboursOf };
}

/** Arcs by their tail, those of one tail by the rank of the head: each head in its turn joins its neighbours' lists. */
function neighboursByRank(
  graph: AsGraph,
  degrees: Degrees,
  ranking: Ranking,
): { starts: Uint32Array; arcs: Uint32Array } {
  const starts = new Uint32Array(graph.asns.length + 1);
  for (let as = 0; as < graph.asns.length; as++) starts[as + 1] = starts[as]! + degrees.all[as]!;
  const arcs = new Uint32Array(starts[graph.asns.length]!);
  const byTail = seenArcsByTail(graph, degrees, starts);
  const next = starts.slice();
  for (const as of ranking.order) {
    for (let i = starts[as]!; i < starts[as + 1]!; i++) {
      const arc = byTail[i]! ^ 1;
      arcs[next[graph.tails[arc]!]!++] = arc;
    }
  }
  return { starts, arcs };
}

function seenArcsByTail(graph: AsGraph, degrees: Degrees, starts: Uint32Array): Uint32Array {
  const next = starts.slice();
  const byTail = new Uint32Array(starts[graph.asns.length]!);
  for (let arc = 0; arc < graph.tails.length; arc++) {
    if (degrees.linkPaths[arc >>> 1]! > 0) byTail[next[graph.tails[arc]!]!++] = arc;
  }
  return byTail;
}
