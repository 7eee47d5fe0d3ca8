import type { AsGraph } from './as-graph.js';

/** The degrees of every AS in a set of paths, and the number of paths per link. */
export interface Degrees {
  /** By AS: distinct neighbours in paths where the AS is neither first nor last (Luckie et al. 2013 §3). */
  readonly transit: Uint32Array;
  /** By AS: all distinct neighbours; 0 for an AS in none of the paths. */
  readonly all: Uint32Array;
  /** By link: the number of paths with it. */
  readonly linkPaths: Uint32Array;
}

/** Counts degrees over the paths with these numbers. The numbers must be distinct. */
export function countDegrees(graph: AsGraph, paths: Uint32Array): Degrees {
  const { offsets, arcs, tails } = graph;
  const linkPaths = new Uint32Array(tails.length / 2);
  /** By arc: 1 if its tail is next to its head in the middle of a path. */
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

/** The ASes by rank, and the rank of each AS. */
export interface Ranking {
  /** Contains only ASes with a neighbour. */
  readonly order: Uint32Array;
  readonly rankOf: Uint32Array;
}

/** Ranks ASes: members of the clique first, then by transit degree and degree (both descending), then by AS number. */
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
