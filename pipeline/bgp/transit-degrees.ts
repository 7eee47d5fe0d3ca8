import type { AsGraph } from './as-graph.js';

/** Degrees of every AS over some of the paths, and how often each link was seen in them. */
export interface Degrees {
  /** Distinct neighbours of the AS where it stands in mid-path (Luckie et al. 2013 §3). */
  readonly transit: Uint32Array;
  /** All distinct neighbours; 0 for an AS in none of the paths. */
  readonly all: Uint32Array;
  /** Paths that each link is in. */
  readonly linkPaths: Uint32Array;
}

/** Counts over the paths of these numbers, each of them distinct. */
export function countDegrees(graph: AsGraph, paths: Uint32Array): Degrees {
  const { offsets, arcs, tails } = graph;
  const linkPaths = new Uint32Array(tails.length / 2);
  /** By arc: 1 where its tail stood in mid-path beside its head. */
  const inTransit = new Uint8Array(tails.length);
  for (const path of paths) {
    const last = offsets[path + 1]! - 1;
    for (let i = offsets[path]!; i < last; i++) {
      const arc = arcs[i]!;
      linkPaths[arc >>> 1]!++;
      if (i > offsets[path]!) inTransit[arc] = 1;
      if (i < last - 1) inTransit[arc ^ 1] = 1;
    }
  }
  return { ...degreesOf(graph, linkPaths, inTransit), linkPaths };
}

/** ASes by rank, and the rank of each. */
export interface Ranking {
  /** Only ASes with a neighbour. */
  readonly order: Uint32Array;
  readonly rankOf: Uint32Array;
}

/** Ranks ASes: those of the clique first, then by transit degree, by degree (both descending) and AS number. */
export function rankAses(degrees: Degrees, isInClique: Uint8Array): Ranking {
  const { transit, all } = degrees;
  const order = new Uint32Array(all.length).map((_, as) => as).filter((as) => all[as]! > 0);
  order.sort(
    (a, b) => isInClique[b]! - isInClique[a]! || transit[b]! - transit[a]! || all[b]! - all[a]! || a - b,
  );
  const rankOf = new Uint32Array(all.length);
  for (let rank = 0; rank < order.length; rank++) rankOf[order[rank]!] = rank;
  return { order, rankOf };
}

function degreesOf(
  graph: AsGraph,
  linkPaths: Uint32Array,
  inTransit: Uint8Array,
): { transit: Uint32Array; all: Uint32Array } {
  const transit = new Uint32Array(graph.asns.length);
  const all = new Uint32Array(graph.asns.length);
  for (let arc = 0; arc < graph.tails.length; arc++) {
    const as = graph.tails[arc]!;
    if (linkPaths[arc >>> 1]! > 0) all[as]!++;
    transit[as]! += inTransit[arc]!;
  }
  return { transit, all };
}
