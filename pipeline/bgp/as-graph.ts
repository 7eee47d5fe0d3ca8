import type { AsPaths } from './distinct-paths.js';
import { PairIndex } from './pair-index.js';

/**
 * Numbered ASes, paths over them, and links between neighbours in a path. ASes and links are sorted by AS number, so
 * the numbering does not depend on the order of the paths.
 *
 * A link has two *arcs*, one per direction. The arcs of link l are 2l (from the lower to the higher AS) and 2l + 1
 * (back). An arc leads from its tail to its head; `arc ^ 1` is the opposite arc.
 */
export interface AsGraph {
  /** AS number of each AS, ascending. */
  readonly asns: Uint32Array;
  /** Path p is `hops[offsets[p]]` up to (not including) `hops[offsets[p + 1]]`. */
  readonly offsets: Uint32Array;
  readonly hops: Uint32Array;
  /** The arc from each hop to the next; undefined content for the last hop of a path. */
  readonly arcs: Uint32Array;
  /** The tail of each arc; the head is `tails[arc ^ 1]`. */
  readonly tails: Uint32Array;
}

/** Numbers the ASes and links of sanitised paths. */
export function buildGraph(paths: AsPaths): AsGraph {
  const { asns, hops } = numberAses(paths.asns);
  const { tails, arcs } = numberLinks(paths.offsets, hops);
  return { asns, offsets: paths.offsets, hops, arcs, tails };
}

/** Returns the graph numbers of the given AS numbers; ASes in no path are omitted. */
export function numbersOf(graph: AsGraph, asns: readonly number[]): number[] {
  return asns.map((asn) => graph.asns.indexOf(asn)).filter((as) => as >= 0);
}

function numberAses(pathAsns: Uint32Array): { asns: Uint32Array; hops: Uint32Array } {
  const index = new PairIndex();
  const hops = new Uint32Array(pathAsns.length);
  for (let i = 0; i < hops.length; i++) hops[i] = index.add(pathAsns[i]!, 0);
  const asns = index.lefts.slice().sort();
  const ranked = new PairIndex();
  for (const asn of asns) ranked.add(asn, 0);
  const numbers = index.lefts.map((asn) => ranked.add(asn, 0));
  for (let i = 0; i < hops.length; i++) hops[i] = numbers[hops[i]!]!;
  return { asns, hops };
}

function numberLinks(offsets: Uint32Array, hops: Uint32Array): { tails: Uint32Array; arcs: Uint32Array } {
  const index = new PairIndex();
  const arcs = new Uint32Array(hops.length);
  for (let path = 0; path + 1 < offsets.length; path++) {
    for (let i = offsets[path]! + 1; i < offsets[path + 1]!; i++) {
      const from = hops[i - 1]!;
      const to = hops[i]!;
      arcs[i - 1] = from < to ? index.add(from, to) * 2 : index.add(to, from) * 2 + 1;
    }
  }
  const { tails, places } = sortLinks(index.lefts, index.rights);
  for (let i = 0; i < arcs.length; i++) arcs[i] = places[arcs[i]! >>> 1]! * 2 + (arcs[i]! & 1);
  return { tails, arcs };
}

/** Sorts links by (lower, higher). Returns the tails of the arcs, and the new number of each link. */
function sortLinks(lefts: Uint32Array, rights: Uint32Array): { tails: Uint32Array; places: Uint32Array } {
  const order = new Uint32Array(lefts.length).map((_, link) => link);
  order.sort((a, b) => lefts[a]! - lefts[b]! || rights[a]! - rights[b]!);
  const tails = new Uint32Array(order.length * 2);
  const places = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) {
    const link = order[place]!;
    places[link] = place;
    tails[place * 2] = lefts[link]!;
    tails[place * 2 + 1] = rights[link]!;
  }
  return { tails, places };
}
