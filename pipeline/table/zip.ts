import { ADDRESS_BITS, IPV4_DEPTH } from '../net/address.js';
import { FlatTable } from './flat-table.js';
import { Ipv4Space } from './ipv4-space.js';
import type { Subtree } from './subtree.js';
import { FlatTableBuilder } from './flat-table-builder.js';
import { isNode, leafSlot, NONE, recordIdOf } from './slots.js';
import { TupleMemo } from './tuple-memo.js';

/** Replaces a record id where a table has no network. */
export const ABSENT = -1;

/**
 * Decides one network. `ids[i]` is the record id in table i, or ABSENT. Returns a record id of the result, or ABSENT to
 * leave the network out. `ids` is reused between calls. `combine` is called once per distinct tuple, never with all ids
 * ABSENT, and in no particular order: it must be a pure function of the ids.
 */
export type Combine = (ids: Int32Array) => number;

/**
 * Receives the number of IPv4 addresses with a tuple. It is called once per distinct tuple, after the walk. `ids` is a
 * view: copy it to keep it.
 */
export type CountAddresses = (ids: Int32Array, ipv4Addresses: number) => void;

/** A walk below a prefix of `depth` bits. */
export interface Walk {
  readonly depth: number;
  readonly combine: Combine;
  /** Only for prefixes that contain IPv4 space or lie in it. */
  readonly countAddresses?: CountAddresses | undefined;
}

/**
 * Walks tables side by side and combines them into one. The networks of the result are disjoint and in address order.
 * Equal neighbours are joined.
 */
export function zip(tables: readonly FlatTable[], combine: Combine): FlatTable {
  if (tables.length === 0) return FlatTable.empty();
  const { slots } = zipBelow(
    tables.map(({ slots, nodeCount }) => ({ slots, slot: 0, nodeCount })),
    { depth: 0, combine },
  );
  return new FlatTable(slots, slots.length >>> 1);
}

/** Combines the subtrees of at least one table below the same prefix; see `zip`. */
export function zipBelow(subtrees: readonly Subtree[], { depth, combine, countAddresses }: Walk): Subtree {
  const zipper = new Zipper(subtrees, combine);
  if (countAddresses) zipper.space = new Ipv4Space();
  const subtree = zipper.run(depth);
  if (countAddresses) zipper.forEachCount(countAddresses);
  return subtree;
}

/**
 * One walk. At most points of the walk only one or two tables are divided further. Only those are followed down; the
 * record ids of all other tables stay in `ids`.
 */
class Zipper {
  readonly #width: number;
  readonly #columns: readonly Uint32Array[];
  readonly #combine: Combine;
  readonly #memo: TupleMemo;
  readonly #builder: FlatTableBuilder;
  /** The record id of each table at the current point. Undefined for tables that are divided there. */
  readonly #ids: Int32Array;
  /** Row d lists the tables that are divided at depth d of the current path. */
  readonly #divided: Int32Array;
  /** The node of each table in `#divided`. */
  readonly #nodes: Uint32Array;
  /** Counts addresses; undefined where none are counted, and behind the IPv4 space. */
  space: Ipv4Space | undefined;
  /** The slot of each table at the beginning of the walk. */
  readonly #start: readonly number[];

  constructor(subtrees: readonly Subtree[], combine: Combine) {
    const width = subtrees.length;
    this.#width = width;
    this.#columns = subtrees.map(({ slots }) => slots);
    this.#combine = combine;
    this.#memo = new TupleMemo(width);
    this.#builder = new FlatTableBuilder(Math.max(...subtrees.map(({ nodeCount }) => nodeCount), 1));
    this.#ids = new Int32Array(width);
    this.#divided = new Int32Array((ADDRESS_BITS + 1) * width);
    this.#nodes = new Uint32Array((ADDRESS_BITS + 1) * width);
    this.#start = subtrees.map(({ slot }) => slot);
  }

  run(depth: number): Subtree {
    const row = depth * this.#width;
    let end = row;
    let known = 0;
    for (const [table, slot] of this.#start.entries()) {
      if (isNode(slot)) {
        this.#divided[end] = table;
        this.#nodes[end++] = slot;
      } else if (slot === NONE) {
        this.#ids[table] = ABSENT;
      } else {
        this.#ids[table] = recordIdOf(slot);
        known++;
      }
    }
    return this.#builder.buildSubtree(
      end > row ? this.#descend(depth, end - row, known) : this.#combined(known, depth),
    );
  }

  /** Builds the subtree at the current point, where `count` tables are divided and `known` others have a record. */
  #descend(depth: number, count: number, known: number): number {
    const node = this.#builder.open();
    const left = this.#settle(2 * depth, count, known);
    // IPv4 is on the left of all nodes above it, so the walk has passed it.
    if (depth < IPV4_DEPTH) this.space?.end();
    const right = this.#settle(2 * depth + 1, count, known);
    return this.#builder.close(node, depth, left, right);
  }

  /** Builds one side of a node. `side` is twice the depth of the node, plus the bit. */
  #settle(side: number, count: number, known: number): number {
    const depth = side >>> 1;
    const row = depth * this.#width;
    const next = row + this.#width;
    const divided = this.#divided;
    let further = next;
    for (let at = row; at < row + count; at++) {
      const table = divided[at]!;
      const slot = this.#columns[table]![2 * this.#nodes[at]! + (side & 1)]!;
      if (isNode(slot)) {
        divided[further] = table;
        this.#nodes[further++] = slot;
      } else if (slot === NONE) {
        this.#ids[table] = ABSENT;
      } else {
        this.#ids[table] = recordIdOf(slot);
        known++;
      }
    }
    if (further > next) return this.#descend(depth + 1, further - next, known);
    return this.#combined(known, depth + 1);
  }

  /** Returns the slot of a network of `length` bits. */
  #combined(known: number, length: number): number {
    if (known === 0) return NONE;
    const slot = this.#memo.resolve(this.#ids, this.#decide);
    this.space?.add(this.#memo.last, length);
    return slot;
  }

  /** Calls `visit` for every tuple with IPv4 addresses. */
  forEachCount(visit: CountAddresses): void {
    const { tuples, size } = this.#memo;
    for (let position = 0; position < size; position++) {
      const addresses = this.space?.at(position) ?? 0;
      const from = position * this.#width;
      if (addresses > 0) visit(tuples.subarray(from, from + this.#width), addresses);
    }
  }

  readonly #decide = (): number => {
    const recordId = this.#combine(this.#ids);
    return recordId === ABSENT ? NONE : leafSlot(recordId);
  };
}
