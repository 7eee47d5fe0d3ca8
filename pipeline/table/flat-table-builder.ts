import { FlatTable } from './flat-table.js';
import { isNode, Uint32Column } from './slots.js';

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

  /** Returns the finished table. The builder must not be used afterwards. */
  build(): FlatTable {
    const { values, length } = this.#column;
    return length === 0 ? FlatTable.empty() : new FlatTable(values.slice(0, length), length >>> 1);
  }
}
