import { isNode, NONE, recordIdOf } from '../table/slots.js';
import { MmdbEncodeError } from './encode-error.js';
import type { SearchTree } from './search-tree.js';

/** The size in bits of one of the two records of a node. */
export type RecordSize = 24 | 28 | 32;

/** The number of zero bytes between the search tree and the data section. */
export const SEPARATOR_BYTES = 16;

/**
 * Returns the smallest record size that can refer to the last record: `nodeCount + 16 + offset < 2^size`. Throws
 * MmdbEncodeError when 32 bits are not enough.
 */
export function chooseRecordSize(nodeCount: number, largestOffset: number): RecordSize {
  const highest = nodeCount + SEPARATOR_BYTES + largestOffset;
  const size = ([24, 28, 32] as const).find((bits) => highest < 2 ** bits);
  if (size === undefined)
    throw new MmdbEncodeError(`record value ${highest} in the search tree: expected less than 2^32`);
  return size;
}

/**
 * Encodes the search tree in chunks of 256 k nodes. Every chunk uses the same buffer. A record is a node number, the
 * node count for no record, or `node count + 16 + offset` for data.
 */
export function* treeChunks(
  tree: SearchTree,
  offsets: Uint32Array,
  recordSize: RecordSize,
): Generator<Buffer, void> {
  const nodeBytes = recordSize / 4;
  const chunk = Buffer.alloc(Math.min(tree.nodeCount, CHUNK_NODES) * nodeBytes);
  const fill = FILLERS[recordSize];
  for (let from = 0; from < tree.nodeCount; from += CHUNK_NODES) {
    const to = Math.min(tree.nodeCount, from + CHUNK_NODES);
    fill(recordValues(tree, offsets, from, to), chunk);
    yield chunk.subarray(0, (to - from) * nodeBytes);
  }
}

const CHUNK_NODES = 1 << 18;

/** Returns the record values of nodes `from` to `to` (exclusive), two per node. */
function recordValues(tree: SearchTree, offsets: Uint32Array, from: number, to: number): Uint32Array {
  const values = tree.slots.slice(2 * from, 2 * to);
  const dataStart = tree.nodeCount + SEPARATOR_BYTES;
  for (let i = 0; i < values.length; i++) {
    const slot = values[i]!;
    if (isNode(slot)) continue;
    values[i] = slot === NONE ? tree.nodeCount : dataStart + offsets[recordIdOf(slot)]!;
  }
  return values;
}

const FILLERS: Readonly<Record<RecordSize, (values: Uint32Array, out: Buffer) => void>> = {
  24: fill24,
  28: fill28,
  32: fill32,
};

/** `LLL RRR` */
function fill24(values: Uint32Array, out: Buffer): void {
  for (let i = 0, at = 0; i < values.length; i++, at += 3) {
    const value = values[i]!;
    out[at] = value >>> 16;
    out[at + 1] = value >>> 8;
    out[at + 2] = value;
  }
}

/** `LLL M RRR`; the high nibble of M is bits 27-24 of the left record, the low nibble those of the right one. */
function fill28(values: Uint32Array, out: Buffer): void {
  for (let i = 0, at = 0; i < values.length; i += 2, at += 7) {
    const left = values[i]!;
    const right = values[i + 1]!;
    out[at] = left >>> 16;
    out[at + 1] = left >>> 8;
    out[at + 2] = left;
    out[at + 3] = ((left >>> 20) & 0xf0) | (right >>> 24);
    out[at + 4] = right >>> 16;
    out[at + 5] = right >>> 8;
    out[at + 6] = right;
  }
}

/** `LLLL RRRR` */
function fill32(values: Uint32Array, out: Buffer): void {
  for (let i = 0, at = 0; i < values.length; i++, at += 4) {
    const value = values[i]!;
    out[at] = value >>> 24;
    out[at + 1] = value >>> 16;
    out[at + 2] = value >>> 8;
    out[at + 3] = value;
  }
}
