import { MmdbError } from '../mmdb/mmdb-error.js';
import { readMetadata, type MmdbMetadata } from '../mmdb/metadata.js';
import { layOut, recordReader, type MmdbLayout, type RecordReader } from '../mmdb/tree-layout.js';
import { isLeaf, isNode, leafSlot, NONE, recordIdOf } from '../table/slots.js';
import { TupleMemo } from '../table/tuple-memo.js';

/**
 * The content of a file as the writer had it: the nodes of its table in preorder, without the nodes that the writer
 * added for aliases. Unlike `readMmdb`, equal neighbours stay apart, so that writing gives the same nodes.
 */
export interface FileTree {
  readonly metadata: MmdbMetadata;
  /** Two slots per node as in `table/slots.ts`. Record ids count in the order of the data section. */
  readonly slots: Uint32Array;
  readonly nodeCount: number;
  /** The offset in `data` of each record. */
  readonly offsets: Uint32Array;
  /** The data section. */
  readonly data: Buffer;
  /** The marker and the metadata. */
  readonly tail: Buffer;
}

/** Reads a file of our writer. Throws MmdbError where the tree violates the format. */
export function readFileTree(file: Buffer): FileTree {
  const located = readMetadata(file);
  const layout = layOut(file, located);
  const { slots, nodeCount, offsets } = new Loading(layout).load();
  const tail = file.subarray(located.markerOffset);
  return { metadata: layout.metadata, slots, nodeCount, offsets, data: layout.data, tail };
}

/** One walk over a search tree, left side first. The nodes of the table are numbered in this order. */
class Loading {
  readonly #layout: MmdbLayout;
  readonly #record: RecordReader;
  readonly #slots: Uint32Array;
  readonly #ids = new TupleMemo(1);
  readonly #offset = new Int32Array(1);
  #next = 0;

  constructor(layout: MmdbLayout) {
    this.#layout = layout;
    this.#record = recordReader(layout.tree, layout.metadata.recordSize);
    this.#slots = new Uint32Array(2 * layout.metadata.nodeCount);
  }

  load(): Pick<FileTree, 'slots' | 'nodeCount' | 'offsets'> {
    this.#descend(0);
    const nodeCount = this.#next;
    const slots = this.#slots.subarray(0, 2 * nodeCount);
    return { slots, nodeCount, offsets: numberByOffset(slots, Uint32Array.from(this.#ids.tuples)) };
  }

  /** Fills the slots of the next node. Ends: each node is entered once, in the order of the numbers. */
  #descend(depth: number): number {
    const node = this.#next++;
    if (depth >= 128) throw this.#error(node, 'a node is below the last bit of an address');
    this.#slots[2 * node] = this.#settle(this.#record(node, 0), node, depth);
    this.#slots[2 * node + 1] = this.#settle(this.#record(node, 1), node, depth);
    return node;
  }

  #settle(value: number, above: number, depth: number): number {
    const { nodeCount } = this.#layout.metadata;
    if (value >= nodeCount) return this.#leaf(value, above);
    if (value === this.#next) return this.#descend(depth + 1);
    // A lower number is an alias of the IPv4 tree: the table is empty there.
    return value < this.#next ? NONE : (this.#addedLeaf(value, depth + 1) ?? NONE);
  }

  /** Returns the leaf that the writer divided into the nodes from `node` on, to reach an alias. */
  #addedLeaf(node: number, depth: number): number | undefined {
    if (depth >= 128) throw this.#error(node, 'a node is below the last bit of an address');
    const values = [this.#record(node, 0), this.#record(node, 1)] as const;
    const { nodeCount } = this.#layout.metadata;
    const leaf = values.find((value) => value >= nodeCount);
    if (leaf !== undefined) return this.#leaf(leaf, node);
    for (const value of values) {
      const found = value > node ? this.#addedLeaf(value, depth + 1) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #leaf(value: number, node: number): number {
    const { data, dataBias, metadata } = this.#layout;
    if (value === metadata.nodeCount) return NONE;
    const offset = value - dataBias;
    if (offset < 0 || offset >= data.length)
      throw this.#error(node, `record ${value} is not in the data section`);
    this.#offset[0] = offset;
    return leafSlot(this.#ids.number(this.#offset));
  }

  #error(node: number, found: string): MmdbError {
    const offset = (node * this.#layout.metadata.recordSize) / 4;
    return new MmdbError('record-range', { offset, path: '/' }, found);
  }
}

/** Replaces the record ids of `slots` by their rank by offset. Returns the sorted offsets. */
function numberByOffset(slots: Uint32Array, offsets: Uint32Array): Uint32Array {
  const sorted = offsets.slice().sort();
  const ranks = new Uint32Array(offsets.length);
  const byOffset = Uint32Array.from(offsets.keys()).sort((a, b) => offsets[a]! - offsets[b]!);
  byOffset.forEach((id, rank) => (ranks[id] = rank));
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    if (isLeaf(slot)) slots[i] = leafSlot(ranks[recordIdOf(slot)]!);
  }
  return sorted;
}

/** Returns the number of slots of the left spine from a slot on: 0 for a leaf or a gap. */
export function spineLength(slots: Uint32Array, slot: number): number {
  let length = 0;
  for (let at = slot; isNode(at); at = slots[2 * at]!) length++;
  return length;
}
