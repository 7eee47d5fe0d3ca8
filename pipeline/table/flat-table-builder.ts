import { FlatTable } from './flat-table.js';
import type { Subtree } from './subtree.js';
import { isNode, leafSlot, NONE, recordIdOf, Uint32Column } from './slots.js';

/**
 * Builds a FlatTable in preorder: `open` a node, build both its sides, `close` it. When both sides of a node are the
 * same leaf (or both empty), `close` drops the node and returns that leaf.
 */
export class FlatTableBuilder {
  readonly #column: Uint32Column;

  /** `expected` is the approximate number of nodes. */
  constructor(expected = 2048) {
    this.#column = new Uint32Column(2 * expected);
  }

  /** Allocates the next node and returns its number. */
  open(): number {
    const column = this.#column;
    if (column.length + 2 > column.values.length) column.reserve(2);
    const node = column.length >>> 1;
    column.length += 2;
    return node;
  }

  /** Completes a node and returns the slot for its parent. The root (`depth` 0) is always kept. */
  close(node: number, depth: number, left: number, right: number): number {
    const column = this.#column;
    if (left === right && !isNode(left) && depth > 0) {
      column.length -= 2;
      return left;
    }
    column.values[2 * node] = left;
    column.values[2 * node + 1] = right;
    return node;
  }

  /**
   * Appends the nodes of a finished subtree, which refer to each other by their position in `slots`. Record i becomes
   * `ids[i]`; the ids are distinct. Returns the number of the first appended node.
   */
  append(slots: Uint32Array, ids: ArrayLike<number>): number {
    const column = this.#column;
    column.reserve(slots.length);
    const { values, length } = column;
    const first = length >>> 1;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!;
      if (isNode(slot)) values[length + i] = slot + first;
      else values[length + i] = slot === NONE ? NONE : leafSlot(ids[recordIdOf(slot)]!);
    }
    column.length += slots.length;
    return first;
  }

  /** Returns the finished nodes as a subtree with `slot`. The builder must not be used afterwards. */
  buildSubtree(slot: number): Subtree {
    const { values, length } = this.#column;
    return { slots: values.slice(0, length), slot, nodeCount: length >>> 1 };
  }

  /** Returns the finished table. The builder must not be used afterwards. */
  build(): FlatTable {
    const { values, length } = this.#column;
    return length === 0 ? FlatTable.empty() : new FlatTable(values.slice(0, length), length >>> 1);
  }
}
