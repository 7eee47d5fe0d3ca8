import type { AsGraph } from './as-graph.js';
import type { Degrees } from './transit-degrees.js';

/** In `Z|Y|X`, X is a customer of Y if Z receives routes with more than this number of distinct next hops behind X. */
const NEXT_HOPS = 2;

/** The same limit if X is never the origin of these routes, which suggests a leak or a backup. */
const DOUBTFUL_NEXT_HOPS = 5;

/** The exchange of routes with and between the members of a group. */
export interface Transit {
  /** Whether two ASes are neighbours. At least one must be a member. */
  readonly areNeighbours: (a: number, b: number) => boolean;
  /** Whether a member receives the routes of a buyer from a seller. One of the latter two must be a member too. */
  readonly receives: (member: number, seller: number, buyer: number) => boolean;
}

/**
 * Finds sales of transit around the members of a group. If Z is not a customer of Y, `Z|Y|X` with more than two next
 * hops behind X shows that X buys transit from Y (Luckie et al. 2013, §4.3).
 */
export function transitAmong(
  graph: AsGraph,
  { paths, degrees }: { paths: Uint32Array; degrees: Degrees },
  members: readonly number[],
): Transit {
  const memberNumber = new Uint8Array(graph.asns.length);
  members.forEach((as, i) => (memberNumber[as] = i + 1));
  const pairOf = (a: number, b: number) => a * graph.asns.length + b;
  const neighbours = new Set<number>();
  for (let arc = 0; arc < graph.tails.length; arc++) {
    const [from, to] = [graph.tails[arc]!, graph.tails[arc ^ 1]!];
    if (degrees.linkPaths[arc >>> 1]! > 0 && memberNumber[from]! + memberNumber[to]! > 0)
      neighbours.add(pairOf(from, to));
  }
  const received = transitReceived(graph, receivedRoutes(graph, paths, memberNumber), members.length);
  return {
    areNeighbours: (a, b) => neighbours.has(pairOf(a, b)),
    receives: (member, seller, buyer) =>
      received.has(pairOf(seller, buyer) * members.length + memberNumber[member]! - 1),
  };
}

/**
 * Returns the triplets `Z|Y|X` that members Z receive, with the next hop behind X, sorted, as ((arc from Y to X) *
 * members + Z) * (ASes + 1) + next hop. If X is the origin, the next hop is the number of ASes.
 */
function receivedRoutes(graph: AsGraph, paths: Uint32Array, memberNumber: Uint8Array): Float64Array {
  const { offsets, hops, arcs, asns } = graph;
  const memberCount = memberNumber.reduce((most, number) => Math.max(most, number), 0);
  const received: number[] = [];
  for (const path of paths) {
    const end = offsets[path + 1]!;
    for (let i = offsets[path]!; i + 2 < end; i++) {
      const z = memberNumber[hops[i]!]!;
      if (z === 0 || memberNumber[hops[i + 1]!]! + memberNumber[hops[i + 2]!]! === 0) continue;
      const next = i + 3 < end ? hops[i + 3]! : asns.length;
      received.push((arcs[i + 1]! * memberCount + z - 1) * (asns.length + 1) + next);
    }
  }
  return Float64Array.from(received).sort();
}

/** Returns the evidence of sold transit, leaks excluded: (seller * ASes + buyer) * members + the receiving member. */
function transitReceived(graph: AsGraph, received: Float64Array, memberCount: number): Set<number> {
  const { asns, tails } = graph;
  const nextValues = asns.length + 1;
  const found = new Set<number>();
  let nextHops = 0;
  for (let i = 0; i < received.length; i++) {
    const next = received[i]! % nextValues;
    const isOrigin = next === asns.length;
    if (!isOrigin && received[i] !== received[i - 1]) nextHops++;
    const key = Math.floor(received[i]! / nextValues);
    if (i + 1 < received.length && Math.floor(received[i + 1]! / nextValues) === key) continue;
    const arc = Math.floor(key / memberCount);
    const pair = tails[arc]! * asns.length + tails[arc ^ 1]!;
    if (nextHops > (isOrigin ? NEXT_HOPS : DOUBTFUL_NEXT_HOPS))
      found.add(pair * memberCount + (key % memberCount));
    nextHops = 0;
  }
  return found;
}
