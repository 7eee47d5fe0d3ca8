import { MmdbError, type MmdbPlace } from './mmdb-error.js';
import type { LocatedMetadata, MmdbMetadata } from './metadata.js';
import { SEPARATOR_BYTES, type RecordSize } from './tree-bytes.js';

/** Reads one of the two records of a node: side 0 is left, side 1 right. The node must be inside the tree. */
export type RecordReader = (node: number, side: number) => number;

/** The parts of a file: `[search tree][16 zero bytes][data section][marker]…`. */
export interface MmdbLayout {
  readonly metadata: MmdbMetadata;
  /** The bytes of the search tree. */
  readonly tree: Buffer;
  /** The bytes of the data section. */
  readonly data: Buffer;
  /** The byte offset of the data section in the file. */
  readonly dataStart: number;
  /** A record value minus this number is an offset in the data section. */
  readonly dataBias: number;
}

/** Locates the parts of a file by its metadata. Throws MmdbError when the tree does not fit before the metadata. */
export function layOut(file: Buffer, { metadata, markerOffset }: LocatedMetadata): MmdbLayout {
  const treeBytes = (metadata.nodeCount * metadata.recordSize) / 4;
  const dataStart = treeBytes + SEPARATOR_BYTES;
  if (dataStart > markerOffset) {
    const place: MmdbPlace = { offset: markerOffset, path: '/node_count' };
    throw new MmdbError(
      'tree-size',
      place,
      `${metadata.nodeCount} nodes take ${dataStart} bytes, but only ${markerOffset} bytes precede the metadata`,
    );
  }
  return {
    metadata,
    tree: file.subarray(0, treeBytes),
    data: file.subarray(dataStart, markerOffset),
    dataStart,
    dataBias: metadata.nodeCount + SEPARATOR_BYTES,
  };
}

/** Returns the reader for a record size. Callers choose it once, outside the loop. */
export function recordReader(tree: Uint8Array, recordSize: RecordSize): RecordReader {
  return RECORD_READERS[recordSize](tree);
}

const RECORD_READERS: Readonly<Record<RecordSize, (tree: Uint8Array) => RecordReader>> = {
  24: read24,
  28: read28,
  32: read32,
};

/** `LLL RRR` */
function read24(tree: Uint8Array): RecordReader {
  return (node, side) => {
    const at = node * 6 + side * 3;
    return (tree[at]! << 16) | (tree[at + 1]! << 8) | tree[at + 2]!;
  };
}

/** `LLL M RRR`; the high nibble of M is bits 27-24 of the left record, the low nibble those of the right one. */
function read28(tree: Uint8Array): RecordReader {
  return (node, side) => {
    const at = node * 7 + side * 4;
    const middle = tree[node * 7 + 3]!;
    const high = side === 0 ? middle >>> 4 : middle & 15;
    return (high << 24) | (tree[at]! << 16) | (tree[at + 1]! << 8) | tree[at + 2]!;
  };
}

/** `LLLL RRRR` */
function read32(tree: Uint8Array): RecordReader {
  return (node, side) => {
    const at = node * 8 + side * 4;
    return ((tree[at]! << 24) | (tree[at + 1]! << 16) | (tree[at + 2]! << 8) | tree[at + 3]!) >>> 0;
  };
}
