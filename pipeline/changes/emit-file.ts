import { createHash, type Hash } from 'node:crypto';
import { DataSection } from '../mmdb/data-section.js';
import { ipv6Tree, type SearchTree } from '../mmdb/search-tree.js';
import { chooseRecordSize, SEPARATOR_BYTES, treeChunks } from '../mmdb/tree-bytes.js';
import type { ValuePool } from '../mmdb/value-pool.js';
import { FlatTable } from '../table/flat-table.js';
import { isLeaf, recordIdOf } from '../table/slots.js';

/** The content of a file whose records are in a pool. */
export interface InternedFile {
  readonly ipVersion: 4 | 6;
  /** The nodes of the table in preorder, for an IPv4 file below ::/96. */
  readonly slots: Uint32Array;
  /** The part numbers of the records by id. */
  readonly parts: ArrayLike<number>;
  readonly pool: ValuePool;
  /** The marker and the metadata. */
  readonly tail: Buffer;
}

/** Writes the bytes of a file as `writeMmdb` does, part by part; `write` must not keep a part. */
export function emitFile(
  { ipVersion, slots, parts, pool, tail }: InternedFile,
  write: (bytes: Buffer) => void,
) {
  const nodeCount = slots.length >>> 1;
  const tree: SearchTree = ipVersion === 4 ? { slots, nodeCount } : ipv6Tree(new FlatTable(slots, nodeCount));
  const data = new DataSection(pool);
  const offsets = new Uint32Array(parts.length).fill(UNUSED);
  for (let i = 0; i < 2 * tree.nodeCount; i++) {
    const slot = tree.slots[i]!;
    if (!isLeaf(slot)) continue;
    const id = recordIdOf(slot);
    if (offsets[id] === UNUSED) offsets[id] = data.addBuilt(parts[id]!);
  }
  const recordSize = chooseRecordSize(tree.nodeCount, data.lastRecord);
  for (const chunk of treeChunks(tree, offsets, recordSize)) write(chunk);
  write(Buffer.alloc(SEPARATOR_BYTES));
  write(data.view());
  write(tail);
}

const UNUSED = 0xffff_ffff;

/** Returns the digest of the bytes that were passed to `write`. */
export class DigestingSink {
  readonly #hash: Hash = createHash('sha256');
  sizeBytes = 0;

  constructor(private readonly sink: (bytes: Buffer) => void) {}

  readonly write = (bytes: Buffer): void => {
    this.#hash.update(bytes);
    this.sizeBytes += bytes.length;
    this.sink(bytes);
  };

  /** Returns the sha256. The sink must not be used afterwards. */
  sha256(): string {
    return this.#hash.digest('hex');
  }
}
