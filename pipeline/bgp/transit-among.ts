import type { AsGraph } from './as-graph.js';
import type { Degrees } from './transit-degrees.js';

/** Next hops behind an AS that a third one hears of, beyond which it buys from the one between. */
const NEXT_HOPS = 2;

/** Up to so many next hops are no evidence when the AS is never heard of as an origin: a leak or a backup. */
const DOUBTFUL_NEXT_HOPS = 5;

/** Who exchanges routes with the members of a group, and what they hear of one another. */
export interface Transit {
  /** One of the two must be a member. */
  readonly areNeighbours: (a: number, b: number) => boolean;
  /** Whether a member hears from a seller what is behind a buyer; one of these must be a member too. */
  readonly hears: (member: number, seller: number, buyer: number) => boolean;
}

/**
 * Reads out of paths who sells transit around the members of a group. Where Z is no customer of Y, `Z|Y|X` with more
 * than two next hops behind X shows that X buys from Y (Luckie et al. 2013, §4.3).
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
  const heard = transitHeard(graph, hearings(graph, paths, memberNumber), members.length);
  return {
    areNeighbours: (a, b) => neighbours.has(pairOf(a, b)),
    hears: (member, seller, buyer) =>
      heard.has(pairOf(seller, buyer) * members.length + memberNumber[member]! - 1),
  };
}

/**
 * What members hear, each thing once and sorted: ((arc from Y to X) * members + Z) * (ASes + 1) + the next hop behind
 * X, which is the number of ASes where X is the origin.
 */
function hearings(graph: AsGraph, paths: Uint32Array, memberNumber: Uint8Array): Float64Array {
  const { offsets, hops, arcs, asns } = graph;
  const memberCount = memberNumber.reduce((most, number) => Math.max(most, number), 0);
  const heard: number[] = [];
  for (const path of paths) {
    const end = offsets[path + 1]!;
    for (let i = offsets[path]!; i + 2 < end; i++) {
      const z = memberNumber[hops[i]!]!;
      if (z === 0 || memberNumber[hops[i + 1]!]! + memberNumber[hops[i + 2]!]! === 0) continue;
      const next = i + 3 < end ? hops[i + 3]! : asns.length;
      heard.push((arcs[i + 1]! * memberCount + z - 1) * (asns.length + 1) + next);
    }
  }
  return Float64Array.from(heard).sort();
}

/** What is more than a leak: ((seller * ASes) + buyer) * members + the member that hears it. */
function transitHeard(graph: AsGraph, heard: Float64Array, memberCount: number): Set<number> {
  const { asns, tails } = graph;
  const nextValues = asns.length + 1;
  const found = new Set<number>();
  let nextHops = 0;
  for (let i = 0; i < heard.length; i++) {
    const next = heard[i]! % nextValues;
    const isOrigin = next === asns.length;
    if (!isOrigin && heard[i] !== heard[i - 1]) nextHops++;
    const key = Math.floor(heard[i]! / nextValues);
    if (i + 1 < heard.length && Math.floor(heard[i + 1]! / nextValues) === key) continue;
    const arc = Math.floor(key / memberCount);
    const pair = tails[arc]! * asns.length + tails[arc ^ 1]!;
    if (nextHops > (isOrigin ? NEXT_HOPS : DOUBTFUL_NEXT_HOPS))
      found.add(pair * memberCount + (key % memberCount));
    nextHops = 0;
  }
  return found;
}
