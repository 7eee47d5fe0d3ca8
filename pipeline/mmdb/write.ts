import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import type { FlatTable } from '../table/flat-table.js';
import { isLeaf, recordIdOf } from '../table/slots.js';
import { DataSection } from './data-section.js';
import { MmdbEncodeError } from './encode-error.js';
import { encodeMetadata, type FileDescription } from './encode-metadata.js';
import type { Schema } from './schema.js';
import { ipv4Tree, ipv6Tree, type SearchTree } from './search-tree.js';
import { chooseRecordSize, SEPARATOR_BYTES, treeChunks, type RecordSize } from './tree-bytes.js';

/** Records by id: an array, or one that makes each record when it is asked for it, once. */
export interface RecordList {
  readonly length: number;
  at(id: number): unknown;
}

/** What to write: a table, the records its ids stand for, and how their values are typed. */
export interface MmdbContent extends FileDescription {
  readonly table: FlatTable;
  readonly records: RecordList;
  readonly schema: Schema;
}

/** Raised with every change to the bytes that equal content becomes; part of the key of what is made of it. */
export const WRITER_VERSION = 1;

/** What was written. */
export interface WrittenMmdb {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly nodeCount: number;
  readonly recordSize: RecordSize;
  /** Distinct records in the data section. */
  readonly records: number;
}

/**
 * Writes an MMDB file (MaxMind DB format 2.0) and syncs it to disk. Records are written in the order in which the
 * tree first mentions them, so equal content gives equal bytes. Throws MmdbEncodeError when a record does not fit
 * its schema or the file would pass 4 GiB; the caller owns the path and removes what is left there.
 */
export function writeMmdb(path: string, content: MmdbContent): WrittenMmdb {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const file = openSync(path, 'w');
  try {
    const written = emit(content, (chunk) => {
      for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at);
      hash.update(chunk);
      sizeBytes += chunk.length;
    });
    fsyncSync(file);
    return { ...written, sizeBytes, sha256: hash.digest('hex') };
  } finally {
    closeSync(file);
  }
}

/** The same bytes in memory, for small files. */
export function encodeMmdb(content: MmdbContent): Buffer {
  const chunks: Buffer[] = [];
  emit(content, (chunk) => chunks.push(Buffer.from(chunk)));
  return Buffer.concat(chunks);
}

function emit(
  content: MmdbContent,
  write: (chunk: Buffer) => void,
): Pick<WrittenMmdb, 'nodeCount' | 'recordSize' | 'records'> {
  const tree = content.ipVersion === 4 ? ipv4Tree(content.table) : ipv6Tree(content.table);
  const data = new DataSection();
  const offsets = writeRecords(tree, content, data);
  const recordSize = chooseRecordSize(tree.nodeCount, data.lastRecord);
  for (const chunk of treeChunks(tree, offsets, recordSize)) write(chunk);
  write(Buffer.alloc(SEPARATOR_BYTES));
  write(data.view());
  write(encodeMetadata(content, tree.nodeCount, recordSize));
  return { nodeCount: tree.nodeCount, recordSize, records: data.recordCount };
}

/** Offsets in the data section by record id; 0xffffffff for ids the tree does not mention. */
function writeRecords(tree: SearchTree, { records, schema }: MmdbContent, data: DataSection): Uint32Array {
  const byRecord = new Uint32Array(records.length).fill(UNUSED);
  for (let i = 0; i < 2 * tree.nodeCount; i++) {
    const slot = tree.slots[i]!;
    if (!isLeaf(slot)) continue;
    const recordId = recordIdOf(slot);
    if (recordId < byRecord.length && byRecord[recordId] !== UNUSED) continue;
    const record = records.at(recordId);
    if (record === undefined)
      throw new MmdbEncodeError(`record ${recordId} is in the table, not in the list`);
    byRecord[recordId] = data.addRecord(record, schema);
  }
  return byRecord;
}

const UNUSED = 0xffff_ffff;
