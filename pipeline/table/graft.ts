import assert from 'node:assert';
import { bitOf } from '../net/address.js';
import type { FlatTable } from './flat-table.js';
import { FlatTableBuilder } from './flat-table-builder.js';
import { isNode, leafSlot, NONE, recordIdOf } from './slots.js';
import type { Block, Subtree } from './subtree.js';

/** The content of a table below one prefix. Record i of the subtree is record `ids[i]` of the table. */
export interface Graft extends Subtree {
  readonly block: Block;
  /** Distinct. */
  readonly ids: ArrayLike<number>;
}

/**
 * Joins subtrees to one table. Their prefixes are in address order and together cover ::/0. Equal neighbours are joined
 * across the borders of subtrees, so the result does not depend on where the table was divided.
 */
export function joinSubtrees(grafts: Iterable<Graft>): FlatTable {
  return new Grafter(grafts[Symbol.iterator]()).run();
}

/** Takes the subtrees in order, so that only one of them has to be in memory. */
class Grafter {
  readonly #builder = new FlatTableBuilder();
  readonly #grafts: Iterator<Graft>;
  #next: Graft | undefined;

  constructor(grafts: Iterator<Graft>) {
    this.#grafts = grafts;
    this.#advance();
  }

  run(): FlatTable {
    const root = this.#settle(0);
    assert(this.#next === undefined, 'the prefixes of the subtrees overlap');
    // A table that is one leaf or gap still has a root.
    if (!isNode(root)) this.#builder.close(this.#builder.open(), 0, root, root);
    return this.#builder.build();
  }

  /** Builds the slot at the first `depth` bits of the next prefix. */
  #settle(depth: number): number {
    const graft = this.#next;
    assert(graft && graft.block.length >= depth, 'the prefixes of the subtrees do not cover ::/0');
    if (graft.block.length === depth) {
      this.#advance();
      return this.#graft(graft);
    }
    assert(bitOf(graft.block.address, depth) === 0, 'the prefixes of the subtrees are not in order');
    const node = this.#builder.open();
    const left = this.#settle(depth + 1);
    const right = this.#settle(depth + 1);
    return this.#builder.close(node, depth, left, right);
  }

  #graft({ slots, slot, ids }: Graft): number {
    if (isNode(slot)) return this.#builder.append(slots, ids) + slot;
    return slot === NONE ? NONE : leafSlot(ids[recordIdOf(slot)]!);
  }

  #advance(): void {
    const next = this.#grafts.next();
    this.#next = next.done === true ? undefined : next.value;
  }
}
