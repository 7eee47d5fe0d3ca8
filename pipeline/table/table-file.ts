import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { FlatTable } from './flat-table.js';
import { isNode } from './slots.js';
import { pointAt, type Block, type DividedTable, type Subtree } from './subtree.js';

/** Thrown when a file is not a whole table. */
export class TableFileError extends Error {
  override readonly name = 'TableFileError';
}

/**
 * Writes slots to a new file and syncs it: 32 bits each, in the byte order of this machine. The format is for caches
 * only.
 */
export function writeSlots(path: string, slots: readonly Uint32Array[]): void {
  const file = openSync(path, 'w');
  try {
    for (const { buffer, byteOffset, byteLength } of slots) {
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      for (let at = 0; at < bytes.length;)
        at += writeSync(file, bytes, at, Math.min(STEP_BYTES, bytes.length - at));
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes a table for TableFile and `readTable`. */
export function writeTable(path: string, { slots, nodeCount }: FlatTable): void {
  writeSlots(path, [slots.subarray(0, 2 * nodeCount)]);
}

/** Reads a whole table. Throws TableFileError. */
export function readTable(path: string): FlatTable {
  const file = new TableFile(path);
  try {
    return new FlatTable(file.read(0, file.nodeCount), file.nodeCount);
  } finally {
    file.close();
  }
}

/** A file of slots that is read piece by piece, so that its reader needs memory for the pieces only. */
export class TableFile implements DividedTable {
  readonly nodeCount: number;
  readonly #path: string;
  readonly #file: number;
  readonly #slot = new Uint32Array(1);

  /** Opens a file of `writeTable` or `writeSlots`. Throws TableFileError if it does not consist of nodes. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r');
    const sizeBytes = fstatSync(this.#file).size;
    this.nodeCount = sizeBytes / NODE_BYTES;
    if (Number.isInteger(this.nodeCount)) return;
    this.close();
    throw new TableFileError(`${path}: ${sizeBytes} bytes: expected a multiple of ${NODE_BYTES}`);
  }

  slotAt(index: number): number {
    this.#fill(this.#slot, 4 * index);
    return this.#slot[0]!;
  }

  below(block: Block): Subtree {
    const { slot, end } = pointAt(this, block);
    if (!isNode(slot)) return { slots: NO_SLOTS, slot, nodeCount: 0 };
    const slots = this.read(slot, end - slot);
    for (let i = 0; i < slots.length; i++) if (isNode(slots[i]!)) slots[i] = slots[i]! - slot;
    return { slots, slot: 0, nodeCount: end - slot };
  }

  /** Returns the slots of `count` nodes from a node on, as they are in the file. */
  read(node: number, count: number): Uint32Array {
    const slots = new Uint32Array(2 * count);
    this.#fill(slots, NODE_BYTES * node);
    return slots;
  }

  close(): void {
    closeSync(this.#file);
  }

  #fill(slots: Uint32Array, from: number): void {
    const bytes = new Uint8Array(slots.buffer);
    for (let at = 0; at < bytes.length;) {
      const read = readSync(this.#file, bytes, at, Math.min(STEP_BYTES, bytes.length - at), from + at);
      if (read === 0) throw new TableFileError(`${this.#path}: ends at byte ${from + at}`);
      at += read;
    }
  }
}

/** The size of a node in such a file. */
export const NODE_BYTES = 8;
const NO_SLOTS = new Uint32Array(0);
/** One system call transfers at most 2 GB. */
const STEP_BYTES = 1 << 30;
