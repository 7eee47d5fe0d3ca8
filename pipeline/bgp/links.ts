import type { AsGraph } from './as-graph.js';
import type { Inference } from './as-rank.js';
import { HIGHER_PROVIDES, PEERS, UNLABELLED } from './relationships.js';
import { CUSTOMER, PEER, PROVIDER, type Links } from './topology.js';

/** Combines the links of both families, sorted by (left, right). Links in no path are omitted. */
export function assembleLinks(graph: AsGraph, ipv4: Inference, ipv6: Inference): Links {
  const paths = union(graph, ipv4.paths, ipv6.paths);
  const power = countLinks(graph, paths);
  const power4 = countLinks(graph, ipv4.paths);
  const power6 = countLinks(graph, ipv6.paths);
  const { vantagePoints, isBeyond } = viewsOf(graph, paths);
  const decides = (link: number) => (power4[link]! >= power6[link]! ? ipv4 : ipv6).labels[link]!;
  const order = sortLinks(graph, power, decides);
  const [left, right] = [new Uint32Array(order.length), new Uint32Array(order.length)];
  for (let i = 0; i < order.length; i++) {
    const arc = arcOf(order[i]!, decides(order[i]!));
    left[i] = graph.asns[graph.tails[arc]!]!;
    right[i] = graph.asns[graph.tails[arc ^ 1]!]!;
  }
  const isTurned = (link: number) => decides(link) === HIGHER_PROVIDES;
  const kindsOf = ({ labels }: Inference) =>
    Uint8Array.from(order, (link) => kindOf(labels[link]!, isTurned(link)));
  return {
    left,
    right,
    kinds: Uint8Array.from(order, (link) => kindOf(decides(link), isTurned(link))),
    kinds4: kindsOf(ipv4),
    kinds6: kindsOf(ipv6),
    power: Uint32Array.from(order, (link) => power[link]!),
    power4: Uint32Array.from(order, (link) => power4[link]!),
    power6: Uint32Array.from(order, (link) => power6[link]!),
    vantagePoints: Uint16Array.from(order, (link) => vantagePoints[link]!),
    uncertain: Uint8Array.from(order, (link) => 1 - isBeyond[link]!),
  };
}

/** Returns the union of two sets of path numbers, sorted. */
function union(graph: AsGraph, a: Uint32Array, b: Uint32Array): Uint32Array {
  const isIn = new Uint8Array(graph.offsets.length - 1);
  for (const path of a) isIn[path] = 1;
  for (const path of b) isIn[path] = 1;
  const paths = new Uint32Array(isIn.reduce((count, one) => count + one, 0));
  let at = 0;
  for (let path = 0; path < isIn.length; path++) if (isIn[path] === 1) paths[at++] = path;
  return paths;
}

function countLinks(graph: AsGraph, paths: Uint32Array): Uint32Array {
  const counts = new Uint32Array(graph.tails.length / 2);
  for (const path of paths) {
    const last = graph.offsets[path + 1]! - 1;
    for (let i = graph.offsets[path]!; i < last; i++) counts[graph.arcs[i]! >>> 1]!++;
  }
  return counts;
}

/**
 * Returns by link: the number of vantage points with it in a path, and 1 if it occurs beyond the first hop of a path.
 */
function viewsOf(graph: AsGraph, paths: Uint32Array): { vantagePoints: Uint32Array; isBeyond: Uint8Array } {
  const vantagePoints = new Uint32Array(graph.tails.length / 2);
  const isBeyond = new Uint8Array(graph.tails.length / 2);
  const lastSeenBy = new Uint32Array(graph.tails.length / 2);
  for (const path of byFirstAs(graph, paths)) {
    const from = graph.offsets[path]!;
    const stamp = graph.hops[from]! + 1;
    for (let i = from; i < graph.offsets[path + 1]! - 1; i++) {
      const link = graph.arcs[i]! >>> 1;
      if (lastSeenBy[link] !== stamp) vantagePoints[link]!++;
      lastSeenBy[link] = stamp;
      if (i > from) isBeyond[link] = 1;
    }
  }
  return { vantagePoints, isBeyond };
}

function byFirstAs(graph: AsGraph, paths: Uint32Array): Uint32Array {
  const next = new Uint32Array(graph.asns.length + 1);
  for (const path of paths) next[graph.hops[graph.offsets[path]!]! + 1]!++;
  for (let as = 0; as < graph.asns.length; as++) next[as + 1]! += next[as]!;
  const ordered = new Uint32Array(paths.length);
  for (const path of paths) ordered[next[graph.hops[graph.offsets[path]!]!]!++] = path;
  return ordered;
}

/** Returns the links in any path, sorted by (left, right) of the result. */
function sortLinks(graph: AsGraph, power: Uint32Array, decides: (link: number) => number): Uint32Array {
  const seen = new Uint32Array(power.length).map((_, link) => link).filter((link) => power[link]! > 0);
  return seen.sort((a, b) => {
    const [arcA, arcB] = [arcOf(a, decides(a)), arcOf(b, decides(b))];
    return graph.tails[arcA]! - graph.tails[arcB]! || graph.tails[arcA ^ 1]! - graph.tails[arcB ^ 1]!;
  });
}

/** Returns the arc from the left to the right AS of a link. */
function arcOf(link: number, label: number): number {
  return link * 2 + (label === HIGHER_PROVIDES ? 1 : 0);
}

function kindOf(label: number, isTurned: boolean): number {
  if (label === UNLABELLED) return 0;
  if (label === PEERS) return PEER;
  return (label === HIGHER_PROVIDES) === isTurned ? PROVIDER : CUSTOMER;
}
