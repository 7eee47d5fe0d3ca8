import { FlatTable } from './flat-table.js';
import { isNode, Uint32Column } from './slots.js';

/**
 * Collects the nodes of a FlatTable in preorder: `open` a node, settle both its sides, `close` it. A node whose two
 * sides are the same leaf (or nothing) gives its number back and stands for that leaf.
 */
export class FlatTableBuilder {
  readonly #column: Uint32Column;

  /** `expected` is about how many nodes there will be. */
  constructor(expected = 2048) {
    this.#column = new Uint32Column(2 * expected);
  }

  /** Takes the next node number. */
  open(): number {
    const column = this.#column;
    if (column.length + 2 > column.values.length) column.reserve(2);
    const node = column.length >>> 1;
    column.length += 2;
    return node;
  }

  /** Settles a node; the slot to put into its parent. The root (`depth` 0) stays a node whatever it holds. */
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

  /** The finished table. The builder is spent. */
  build(): FlatTable {
    const { values, length } = this.#column;
    return length === 0 ? FlatTable.empty() : new FlatTable(values.slice(0, length), length >>> 1);
  }
}
