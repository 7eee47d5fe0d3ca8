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
  const width = tables.length;
  const columns = tables.map((table) => table.slots);
  const builder = new FlatTableBuilder();
  const memo = new TupleMemo(width);
  const ids = new Int32Array(width);
  /** Row d holds each table's slot on the current path at depth d. */
  const cursors = new Uint32Array((ADDRESS_BITS + 1) * width);

  const decide = (row: number): number => {
    let known = false;
    for (let i = 0; i < width; i++) {
      const slot = cursors[row + i]!;
      ids[i] = slot === NONE ? ABSENT : recordIdOf(slot);
      if (slot !== NONE) known = true;
    }
    if (!known) return NONE;
    return memo.resolve(ids, combineToSlot);
  };
  const combineToSlot = (): number => {
    const recordId = combine(ids);
    return recordId === ABSENT ? NONE : leafSlot(recordId);
  };
  const descend = (depth: number): number => {
    const row = depth * width;
    const node = builder.open();
    const left = side(row, depth, 0);
    const right = side(row, depth, 1);
    return builder.close(node, depth, left, right);
  };
  const side = (row: number, depth: number, bit: number): number => {
    const next = row + width;
    let divided = false;
    for (let i = 0; i < width; i++) {
      const slot = cursors[row + i]!;
      if (!isNode(slot)) {
        cursors[next + i] = slot;
        continue;
      }
      const child = columns[i]![2 * slot + bit]!;
      cursors[next + i] = child;
      if (isNode(child)) divided = true;
    }
    return divided ? descend(depth + 1) : decide(next);
  };

  if (width === 0) return FlatTable.empty();
  descend(0);
  return builder.build();
}
