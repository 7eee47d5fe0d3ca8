import type { Tally } from '../input/tally.js';
import { EntryRows } from './entry-rows.js';
import type { Rib } from './rib.js';
import { PEER_WORDS, PREFIX_WORDS, type Numbering, type RouteColumns } from './route-columns.js';
import { sortPrefixes } from './sort-prefixes.js';

/** The routes of one dump after its end was reached. */
export interface ReadDump {
  readonly routes: RouteColumns;
  readonly tally: Tally;
  /** The index of its collector. */
  readonly collector: number;
}

/**
 * Joins the dumps of a night. The result depends only on the dumps and their order, not on the numbering: prefixes are
 * in address order, peers and paths in the order of their first entry. If a peer has a prefix twice (for ADD-PATH: with
 * the same path identifier), the first dump's route is kept and the others are noted as duplicates in their tallies.
 */
export function composeRib(
  dumps: readonly ReadDump[],
  numbering: Numbering,
  collectors: Rib['collectors'],
): Rib {
  const counts = countByPrefix(dumps, numbering.prefixCount);
  const order = sortPrefixes(numbersOf(counts), numbering.prefixes);
  const starts = startsOf(order, counts);
  const rows = gather(dumps, order, starts, counts);
  rows.dropDuplicates(starts, (dump) => {
    dumps[dump]!.tally.note('duplicate');
  });
  const peers = rows.peers.subarray(0, starts[order.length]);
  const paths = rows.paths.subarray(0, starts[order.length]);
  const peerOrder = renumber(peers, numbering.peerCount);
  const pathOrder = renumber(paths, numbering.paths.size);
  return {
    prefixes: prefixColumns(order, numbering),
    paths: numbering.paths.table(pathOrder),
    peers: { ...peerColumns(peerOrder, numbering), collectors: firstCollectors(dumps, peerOrder) },
    entries: { starts, peers, paths },
    collectors,
  };
}

/** Returns the number of routes by prefix number. */
function countByPrefix(dumps: readonly ReadDump[], prefixCount: number): Uint32Array<ArrayBuffer> {
  const counts = new Uint32Array(prefixCount);
  for (const { routes } of dumps) {
    const { prefixes, ends } = routes;
    for (let run = 0, from = 0; run < prefixes.length; run++) {
      counts[prefixes.values[run]!]! += ends.values[run]! - from;
      from = ends.values[run]!;
    }
  }
  return counts;
}

/** Returns the numbers with a count other than 0. */
function numbersOf(counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(counts.length);
  let length = 0;
  for (let number = 0; number < counts.length; number++) {
    if (counts[number] !== 0) numbers[length++] = number;
  }
  return numbers.slice(0, length);
}

/** Returns the start of each prefix's routes for prefixes in this order, and the end of the last one. */
function startsOf(order: Uint32Array, counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(order.length + 1);
  for (let i = 0; i < order.length; i++) starts[i + 1] = starts[i]! + counts[order[i]!]!;
  return starts;
}

/** Collects all routes by prefix. Overwrites `cursors`: by prefix number, the position of its next route. */
function gather(
  dumps: readonly ReadDump[],
  order: Uint32Array,
  starts: Uint32Array,
  cursors: Uint32Array,
): EntryRows {
  for (let i = 0; i < order.length; i++) cursors[order[i]!] = starts[i]!;
  const rows = new EntryRows(
    starts[order.length]!,
    dumps.some(({ routes }) => routes.pathIds !== undefined),
  );
  dumps.forEach(({ routes }, dump) => {
    rows.scatter(routes, dump, cursors);
  });
  return rows;
}

/** Renumbers a column in the order of first occurrence. Returns the old number of every new one. */
function renumber(column: Uint16Array | Uint32Array, count: number): Uint32Array<ArrayBuffer> {
  const order = new Uint32Array(count);
  // The new number plus 1; 0 means not seen yet.
  const renumbered = new Uint32Array(count);
  let length = 0;
  for (let i = 0; i < column.length; i++) {
    const old = column[i]!;
    if (renumbered[old] === 0) {
      order[length++] = old;
      renumbered[old] = length;
    }
    column[i] = renumbered[old]! - 1;
  }
  return order.slice(0, length);
}

function prefixColumns(order: Uint32Array, { prefixes }: Numbering): Rib['prefixes'] {
  const addresses = new Uint32Array(4 * order.length);
  const lengths = new Uint8Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const from = order[i]! * PREFIX_WORDS;
    for (let word = 0; word < 4; word++) addresses[4 * i + word] = prefixes[from + word]!;
    lengths[i] = prefixes[from + 4]!;
  }
  return { addresses, lengths };
}

function peerColumns(order: Uint32Array, { peers }: Numbering): Omit<Rib['peers'], 'collectors'> {
  const addresses = new Uint32Array(4 * order.length);
  const asns = new Uint32Array(order.length);
  const families = new Uint8Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const from = order[i]! * PEER_WORDS;
    for (let word = 0; word < 4; word++) addresses[4 * i + word] = peers[from + word]!;
    asns[i] = peers[from + 4]!;
    families[i] = peers[from + 5]!;
  }
  return { addresses, families, asns };
}

/** Returns, for each peer, the collector of the first dump with a route of it. */
function firstCollectors(dumps: readonly ReadDump[], order: Uint32Array): Uint16Array<ArrayBuffer> {
  const collectors = new Uint16Array(order.length);
  for (const { routes, collector } of dumps.toReversed()) {
    const mentioned = new Uint8Array(0x1_0000);
    for (let i = 0; i < routes.length; i++) mentioned[routes.peerNumbers[i]!] = 1;
    for (let i = 0; i < order.length; i++) if (mentioned[order[i]!] === 1) collectors[i] = collector;
  }
  return collectors;
}
