import { bitOf, newAddress, type Address } from '../net/address.js';
import type { FlatTable } from './flat-table.js';
import { isNode } from './slots.js';

/** A prefix of the 128-bit space: host bits are 0. */
export interface Block {
  readonly address: Address;
  readonly length: number;
}

/**
 * The content of a table below a prefix: `slot` is a leaf or NONE when one network or gap covers the whole prefix, else
 * a node of `slots`. Nodes are in preorder.
 */
export interface Subtree {
  readonly slots: Uint32Array;
  readonly slot: number;
  /** The number of nodes below the prefix; 0 if `slot` is no node. */
  readonly nodeCount: number;
}

/** A table whose slots are read one by one, in memory or on disk. Nodes are in preorder, the root is node 0. */
export interface SlotSource {
  readonly nodeCount: number;
  /** Returns slot `index`: 2n is side 0 of node n, 2n+1 side 1. */
  slotAt(index: number): number;
}

/** A table that can be read below a prefix. */
export interface DividedTable extends SlotSource {
  below(block: Block): Subtree;
}

/** A slot of a table. The nodes below it, with itself, are the nodes from `slot` to `end` (exclusive) if it is a node. */
export interface Point {
  readonly slot: number;
  readonly end: number;
}

/** Returns the point at ::/0. */
export function rootOf({ nodeCount }: SlotSource): Point {
  return { slot: 0, end: nodeCount };
}

/** Returns the number of nodes at and below a point. */
export function nodesBelow({ slot, end }: Point): number {
  return isNode(slot) ? end - slot : 0;
}

/** Returns the point on one side of a point. A leaf or gap covers both of its sides. */
export function sideOf(source: SlotSource, { slot, end }: Point, side: 0 | 1): Point {
  if (!isNode(slot)) return { slot, end };
  const right = source.slotAt(2 * slot + 1);
  if (side === 1) return { slot: right, end };
  return { slot: source.slotAt(2 * slot), end: isNode(right) ? right : end };
}

/** Returns the point at a prefix. */
export function pointAt(source: SlotSource, { address, length }: Block): Point {
  let point = rootOf(source);
  for (let depth = 0; depth < length && isNode(point.slot); depth++) {
    point = sideOf(source, point, bitOf(address, depth));
  }
  return point;
}

/** Returns one half of a prefix. */
export function halfOf({ address, length }: Block, side: 0 | 1): Block {
  const half: Address = newAddress();
  half.set(address);
  if (side === 1) half[length >>> 5] = half[length >>> 5]! | (0x8000_0000 >>> (length & 31));
  return { address: half, length: length + 1 };
}

/** Returns a table in memory as one that can be read below a prefix. */
export function dividedTable({ slots, nodeCount }: FlatTable): DividedTable {
  const source: SlotSource = { nodeCount, slotAt: (index) => slots[index]! };
  return {
    ...source,
    below: (block) => {
      const point = pointAt(source, block);
      return { slots, slot: point.slot, nodeCount: nodesBelow(point) };
    },
  };
}
