import type { AsGraph } from './as-graph.js';
import { countDegrees, rankAses, type Degrees, type Ranking } from './transit-degrees.js';
import { Triplets } from './triplets.js';

/** The input of the steps of AS-Rank: some paths of a graph with their degrees, ranking and triplets. */
export interface Sightings {
  readonly graph: AsGraph;
  readonly paths: Uint32Array;
  readonly degrees: Degrees;
  readonly ranking: Ranking;
  readonly triplets: Triplets;
  /** Returns the arcs from an AS to its neighbours, sorted by the neighbours' rank. */
  neighboursOf(as: number): Uint32Array;
}

/** Computes degrees, ranking and triplets of the paths with these numbers. */
export function sightingsOf(graph: AsGraph, paths: Uint32Array, isInClique: Uint8Array): Sightings {
  const degrees = countDegrees(graph, paths);
  const ranking = rankAses(degrees, isInClique);
  const triplets = new Triplets(graph, paths);
  const { starts, arcs } = neighboursByRank(graph, degrees, ranking);
  const neighboursOf = (as: number) => arcs.subarray(starts[as], starts[as + 1]);
  return { graph, paths, degrees, ranking, triplets, neighboursOf };
}

/** Groups arcs by tail, sorted by the rank of the head: the heads are appended to their neighbours' lists by rank. */
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
