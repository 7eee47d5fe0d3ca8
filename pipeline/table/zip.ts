import { ADDRESS_BITS } from '../net/address.js';
import { FlatTable } from './flat-table.js';
import { FlatTableBuilder } from './flat-table-builder.js';
import { isNode, leafSlot, NONE, recordIdOf } from './slots.js';
import { TupleMemo } from './tuple-memo.js';

/** What a table says about a network in `combine`: a record id, or ABSENT. */
export const ABSENT = -1;

/**
 * Decides one network: `ids[i]` is the record id in table i or ABSENT; the answer is a record id of the result or
 * ABSENT to leave the network out. `ids` is reused between calls. Called once per distinct tuple, never with all
 * ids absent; it must be a pure function of the ids, because the order of the calls is nobody's business.
 */
export type Combine = (ids: Int32Array) => number;

/**
 * Walks tables side by side and combines them into one. The result is disjoint, in address order, with equal
 * neighbours joined.
 */
export function zip(tables: readonly FlatTable[], combine: Combine): FlatTable {
  return tables.length === 0 ? FlatTable.empty() : new Zipper(tables, combine).run();
}

/**
 * One walk. At most places all but one or two of the tables have nothing or one network around the place: only those
 * that are divided there are followed further down, what the others say stays in `ids`.
 */
class Zipper {
  readonly #width: number;
  readonly #columns: readonly Uint32Array[];
  readonly #combine: Combine;
  readonly #memo: TupleMemo;
  readonly #builder: FlatTableBuilder;
  /** What each table says at the place; of divided tables nothing of use. */
  readonly #ids: Int32Array;
  /** Row d: the tables that are divided at depth d of the current path, and the nodes they have there. */
  readonly #divided: Int32Array;
  readonly #nodes: Uint32Array;

  constructor(tables: readonly FlatTable[], combine: Combine) {
    const width = tables.length;
    this.#width = width;
    this.#columns = tables.map(({ slots }) => slots);
    this.#combine = combine;
    this.#memo = new TupleMemo(width);
    this.#builder = new FlatTableBuilder(Math.max(...tables.map(({ nodeCount }) => nodeCount)));
    this.#ids = new Int32Array(width);
    this.#divided = new Int32Array((ADDRESS_BITS + 1) * width);
    this.#nodes = new Uint32Array((ADDRESS_BITS + 1) * width);
    // At depth 0 each table is at its root, node 0.
    for (let table = 0; table < width; table++) this.#divided[table] = table;
  }

  run(): FlatTable {
    this.#descend(0, this.#width, 0);
    return this.#builder.build();
  }

  /** Settles the place at the end of the path, where `count` tables are divided and `known` others say something. */
  #descend(depth: number, count: number, known: number): number {
    const node = this.#builder.open();
    const left = this.#settle(2 * depth, count, known);
    const right = this.#settle(2 * depth + 1, count, known);
    return this.#builder.close(node, depth, left, right);
  }

  /** Settles one side of it: `side` is twice its depth and the bit. */
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
    return known === 0 ? NONE : this.#memo.resolve(this.#ids, this.#decide);
  }

  readonly #decide = (): number => {
    const recordId = this.#combine(this.#ids);
    return recordId === ABSENT ? NONE : leafSlot(recordId);
  };
}
