import type { AsPaths } from './distinct-paths.js';
import { PairIndex } from './pair-index.js';

/**
 * ASes, paths over them, and the links between neighbours in a path, all numbered. ASes and links stand in the order
 * of their AS numbers, so that nothing depends on the order of the paths.
 *
 * A link has two *arcs*, one for each direction: those of link l are 2l (from its lower AS to its higher) and 2l + 1
 * (back). An arc goes from its tail to its head, and `arc ^ 1` is the way back.
 */
export interface AsGraph {
  /** AS number of each AS, ascending. */
  readonly asns: Uint32Array;
  /** Path p is `hops[offsets[p]]` up to (not including) `hops[offsets[p + 1]]`. */
  readonly offsets: Uint32Array;
  readonly hops: Uint32Array;
  /** The arc from each hop to the next; of no meaning for the last hop of a path. */
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

/** The numbers of some ASes; those that are in no path are left out. */
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

/** Links by (lower, higher): the tails of their arcs, and the place that each got. */
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
