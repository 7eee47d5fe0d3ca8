import { FlatTable } from './flat-table.js';
import { FlatTableBuilder } from './flat-table-builder.js';
import { isLeaf, leafSlot, NONE, recordIdOf } from './slots.js';
import type { Subtree } from './subtree.js';
import { ABSENT } from './zip.js';

/**
 * Returns the same networks with other record ids. `ids[i]` is the new record id of networks with record id i, or
 * ABSENT to drop them. Equal neighbours are joined.
 */
export function relabel({ slots, nodeCount }: FlatTable, ids: ArrayLike<number>): FlatTable {
  const subtree = relabelBelow({ slots, slot: 0, nodeCount }, 0, ids);
  return new FlatTable(subtree.slots, subtree.slots.length >>> 1);
}

/** Relabels a subtree below a prefix of `depth` bits; see `relabel`. */
export function relabelBelow(
  { slots, slot: top, nodeCount }: Subtree,
  depth: number,
  ids: ArrayLike<number>,
): Subtree {
  const builder = new FlatTableBuilder(Math.max(1, nodeCount));
  const settle = (slot: number, depth: number): number => {
    if (slot === NONE) return NONE;
    if (isLeaf(slot)) {
      const id = ids[recordIdOf(slot)]!;
      return id === ABSENT ? NONE : leafSlot(id);
    }
    const node = builder.open();
    const left = settle(slots[2 * slot]!, depth + 1);
    const right = settle(slots[2 * slot + 1]!, depth + 1);
    return builder.close(node, depth, left, right);
  };
  return builder.buildSubtree(settle(top, depth));
}
