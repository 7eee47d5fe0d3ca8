/**
 * A trie slot is an unsigned 32-bit integer: a node number (below 2^31), a leaf (`LEAF | record id`), or NONE. Record
 * ids are below 2^31 - 1.
 */
export const LEAF = 0x8000_0000;
export const NONE = 0xffff_ffff;

/** The highest record id that a slot can hold. */
export const MAX_RECORD_ID = 0x7fff_fffe;

export function leafSlot(recordId: number): number {
  return (LEAF | recordId) >>> 0;
}

export function isLeaf(slot: number): boolean {
  return slot >= LEAF && slot !== NONE;
}

export function isNode(slot: number): boolean {
  return slot < LEAF;
}

/** Returns the record id of a leaf slot. */
export function recordIdOf(slot: number): number {
  return slot & 0x7fff_ffff;
}

/** A growable column of unsigned 32-bit integers. */
export class Uint32Column {
  values: Uint32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.values = new Uint32Array(capacity);
  }

  /** Reserves room for `extra` more values. The caller then writes `values` and `length` directly. */
  reserve(extra: number): void {
    const needed = this.length + extra;
    if (needed <= this.values.length) return;
    const grown = new Uint32Array(Math.max(needed, Math.ceil(this.values.length * 1.5)));
    grown.set(this.values.subarray(0, this.length));
    this.values = grown;
  }
}
