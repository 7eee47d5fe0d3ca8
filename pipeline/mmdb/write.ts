import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import type { FlatTable } from '../table/flat-table.js';
import { isLeaf, recordIdOf } from '../table/slots.js';
import { DataSection } from './data-section.js';
import { MmdbEncodeError } from './encode-error.js';
import { encodeMetadata, type FileDescription } from './encode-metadata.js';
import type { RecordBuilder } from './record-builder.js';
import type { Schema } from './schema.js';
import { ipv4Tree, ipv6Tree, type SearchTree } from './search-tree.js';
import { chooseRecordSize, SEPARATOR_BYTES, treeChunks, type RecordSize } from './tree-bytes.js';

/** Records by id: an array, or an object that creates a record on demand. Each record is asked for once. */
export interface RecordList {
  readonly length: number;
  at(id: number): unknown;
  /** Builds the record that `at` returns, and returns its number. Faster for records with parts in common. */
  readonly build?: (id: number, builder: RecordBuilder) => number;
}

/** The content of a file: a table, its records by id, and their schema. */
export interface MmdbContent extends FileDescription {
  readonly table: FlatTable;
  readonly records: RecordList;
  readonly schema: Schema;
}

/** Raised with every change to the bytes of equal content. Part of the cache keys of written files. */
export const WRITER_VERSION = 1;

/** The figures of a written file. */
export interface WrittenMmdb {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly nodeCount: number;
  readonly recordSize: RecordSize;
  /** The number of distinct records in the data section. */
  readonly records: number;
}

/**
 * Writes an MMDB file (MaxMind DB format 2.0) and syncs it to disk. Records are written in the order in which the tree
 * first refers to them, so equal content gives equal bytes. Throws MmdbEncodeError when a record does not fit its
 * schema or the file would exceed 4 GiB. The caller removes the incomplete file after an error.
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

/** Returns the bytes of a small MMDB file; see `writeMmdb`. */
export function encodeMmdb(content: MmdbContent): Buffer {
  const chunks: Buffer[] = [];
  emit(content, (chunk) => chunks.push(Buffer.from(chunk)));
  return Buffer.concat(chunks);
}

function emit(
  content: MmdbContent,
  write: (chunk: Buffer) => void,
): Pick<WrittenMmdb, 'nodeCount' | 'recordSize' | 'records'> {
  checkType(content.databaseType);
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

/** Throws for a type of MaxMind's. Only editions, which are made from written files, have such types. */
function checkType(databaseType: string): void {
  if (databaseType.startsWith('GeoIP'))
    throw new MmdbEncodeError(
      `invalid database type "${databaseType}": names that begin with GeoIP are reserved for MaxMind`,
      '/database_type',
    );
}

/**
 * Writes the records. Returns their offsets in the data section by id; 0xffffffff for ids that the tree does not
 * use.
 */
function writeRecords(tree: SearchTree, { records, schema }: MmdbContent, data: DataSection): Uint32Array {
  const byRecord = new Uint32Array(records.length).fill(UNUSED);
  for (let i = 0; i < 2 * tree.nodeCount; i++) {
    const slot = tree.slots[i]!;
    if (!isLeaf(slot)) continue;
    const recordId = recordIdOf(slot);
    if (recordId < byRecord.length && byRecord[recordId] !== UNUSED) continue;
    byRecord[recordId] =
      recordId < records.length && records.build !== undefined
        ? data.addBuilt(records.build(recordId, data.builder))
        : data.addRecord(existing(records, recordId), schema);
  }
  return byRecord;
}

function existing(records: RecordList, id: number): unknown {
  const record = records.at(id);
  if (record === undefined) throw new MmdbEncodeError(`record ${id} of the table is not in the record list`);
  return record;
}

const UNUSED = 0xffff_ffff;
