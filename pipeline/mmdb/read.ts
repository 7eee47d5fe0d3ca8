import { readFileSync } from 'node:fs';
import { IPV4_DEPTH } from '../net/address.js';
import { FlatTableBuilder } from '../table/flat-table-builder.js';
import type { FlatTable } from '../table/flat-table.js';
import { leafSlot, NONE } from '../table/slots.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { Bitset } from './bitset.js';
import { ValueDecoder, type MmdbValue } from './decode.js';
import { readMetadata, type MmdbMetadata } from './metadata.js';
import { MmdbError, type MmdbFault } from './mmdb-error.js';
import { layOut, recordReader, type MmdbLayout, type RecordReader } from './tree-layout.js';
import { ipv4RootOf, TreePath } from './tree-path.js';

/** A file as a table. `records[id]` is frozen. Values that the file stores once are one object. */
export interface ReadMmdb {
  readonly table: FlatTable;
  readonly records: readonly MmdbValue[];
  readonly metadata: MmdbMetadata;
}

/**
 * Loads an MMDB file into a table. Record ids count in the order in which the tree first refers to the records. An IPv4
 * file is loaded at ::/96. Aliases of the IPv4 tree are skipped. Equal neighbours are joined. Throws MmdbError at the
 * first violation of the format. Data that no network refers to is not checked.
 */
export function readMmdb(file: Buffer): ReadMmdb {
  const layout = layOut(file, readMetadata(file));
  const loading = new Loading(layout);
  return { table: loading.load(), records: loading.records, metadata: layout.metadata };
}

/** Loads a file of at most 2 GiB; see `readMmdb`. Errors of the file system are not wrapped. */
export function readMmdbFile(path: string): ReadMmdb {
  return readMmdb(readFileSync(path));
}

/** One walk over a search tree, left side first. */
class Loading {
  readonly records: MmdbValue[] = [];
  readonly #layout: MmdbLayout;
  readonly #record: RecordReader;
  readonly #ipv4Root: number | undefined;
  readonly #builder = new FlatTableBuilder();
  readonly #path: TreePath;
  readonly #seen: Bitset;
  readonly #decoder: ValueDecoder;
  /** Record ids by offset in the data section. */
  readonly #ids = new TupleMemo(1);
  readonly #offset = new Int32Array(1);

  constructor(layout: MmdbLayout) {
    this.#layout = layout;
    this.#record = recordReader(layout.tree, layout.metadata.recordSize);
    this.#ipv4Root = ipv4RootOf(layout, this.#record);
    this.#path = new TreePath(layout.metadata.ipVersion);
    this.#seen = new Bitset(layout.metadata.nodeCount);
    this.#decoder = new ValueDecoder(layout.data, layout.dataStart);
  }

  load(): FlatTable {
    const above = this.#layout.metadata.ipVersion === 4 ? IPV4_DEPTH : 0;
    for (let depth = 0; depth < above; depth++) this.#builder.open();
    let slot = this.#settleNode(0, 0, above);
    for (let depth = above - 1; depth >= 0; depth--) slot = this.#builder.close(depth, depth, slot, NONE);
    return this.#builder.build();
  }

  /** Copies the subtree of `node`, which is `depth` bits below the root of the file. Returns its slot in the table. */
  #settleNode(node: number, depth: number, above: number): number {
    const path = this.#path;
    this.#seen.add(node);
    const number = this.#builder.open();
    path.sides[depth] = 0;
    const left = this.#settle(this.#record(node, 0), depth + 1, above);
    path.sides[depth] = 1;
    const right = this.#settle(this.#record(node, 1), depth + 1, above);
    return this.#builder.close(number, depth + above, left, right);
  }

  #settle(value: number, depth: number, above: number): number {
    const { nodeCount } = this.#layout.metadata;
    if (value === nodeCount) return NONE;
    if (value > nodeCount) return this.#leaf(value, depth);
    if (this.#seen.has(value)) return this.#settleAlias(value, depth);
    if (depth === this.#path.depthLimit)
      throw this.#error('tree-depth', depth, `node ${value} is below the last bit of an address`);
    return this.#settleNode(value, depth, above);
  }

  #leaf(value: number, depth: number): number {
    const { data, dataBias } = this.#layout;
    const offset = value - dataBias;
    if (offset < 0)
      throw this.#error('record-gap', depth, `record ${value} is neither a node nor in the data section`);
    if (offset >= data.length)
      throw this.#error('record-range', depth, `record ${value} is beyond the data section`);
    this.#offset[0] = offset;
    return leafSlot(this.#ids.resolve(this.#offset, this.#decodeRecord));
  }

  readonly #decodeRecord = (): number => {
    this.records.push(this.#decoder.decode(this.#offset[0]! >>> 0));
    return this.records.length - 1;
  };

  /** Returns NONE for an alias of the IPv4 tree. Throws MmdbError for any other node that is reached twice. */
  #settleAlias(node: number, depth: number): number {
    if (node === this.#ipv4Root && this.#path.aliasAt(depth) !== undefined) return NONE;
    throw this.#error('node-shared', depth, `node ${node} is reached a second time`);
  }

  #error(fault: MmdbFault, depth: number, found: string): MmdbError {
    const node = this.#nodeAbove(depth);
    const offset = (node * this.#layout.metadata.recordSize) / 4;
    return new MmdbError(fault, { offset, path: this.#path.network(depth) }, found);
  }

  /** Finds the node with the record at the end of the path, again from the root. Only errors need it. */
  #nodeAbove(depth: number): number {
    let node = 0;
    for (let at = 0; at < depth - 1; at++) node = this.#record(node, this.#path.sides[at]!);
    return node;
  }
}
