import { ValuePool } from '../mmdb/value-pool.js';
import { WRITER_VERSION } from '../mmdb/write.js';
import type { Schema } from '../mmdb/schema.js';
import { ChangesError } from './changes-error.js';
import { encodeDelta, type DeltaEnd, type StreamName } from './delta-file.js';
import { readFileTree, type FileTree } from './file-tree.js';
import { RecordLoader } from './record-loader.js';
import { RecordWriter } from './record-writer.js';
import { encodeSchema } from './schema-text.js';
import { NO_RECORD } from './tree-codes.js';
import { diffTrees } from './tree-diff.js';

/** Two files of a dataset. */
export interface DeltaSubject {
  /** geo, asn or isp. */
  readonly dataset: string;
  readonly schema: Schema;
  readonly old: { readonly bytes: Buffer } & DeltaEnd;
  readonly new: { readonly bytes: Buffer } & DeltaEnd;
}

/** Two files with the records of both in one pool. */
export interface ComparedFiles {
  readonly subject: DeltaSubject;
  readonly old: FileTree;
  readonly new: FileTree;
  /** The part numbers of the records by id. */
  readonly oldParts: Uint32Array;
  readonly newParts: Uint32Array;
  /** The number in the old file of each record of the new one, or NO_RECORD. */
  readonly oldNumbers: Uint32Array;
  /** Knows the values of the old file. */
  readonly writer: RecordWriter;
}

/**
 * Makes the delta from which `applyDelta` rebuilds the new file from the old one. Throws ChangesError when the files do
 * not have the schema, and MmdbError when they are not MMDB files. The caller applies it once: only that shows that both
 * files were written by this writer.
 */
export function makeDelta(subject: DeltaSubject): Buffer {
  return encodeChanges(compareFiles(subject));
}

/** Reads two files. Throws as `makeDelta`. */
export function compareFiles(subject: DeltaSubject): ComparedFiles {
  const { schema } = subject;
  const [old, now] = [readFileTree(subject.old.bytes), readFileTree(subject.new.bytes)];
  if (old.metadata.ipVersion !== now.metadata.ipVersion)
    throw new ChangesError('content', 'the files are for different IP versions');
  const pool = new ValuePool();
  const oldParts = loadRecords(old, pool, schema);
  const writer = new RecordWriter(pool);
  const newParts = loadRecords(now, pool, schema);
  const oldNumbers = numbersIn(oldParts, newParts);
  return { subject, old, new: now, oldParts, newParts, oldNumbers, writer };
}

/** Encodes the delta of compared files, once. */
export function encodeChanges({ subject, writer, oldParts, newParts, ...pair }: ComparedFiles): Buffer {
  let records = 0;
  const tree = diffTrees({
    ...pair,
    onNew: (id, base) => {
      records++;
      // A base from among the new records is not compared with: it has no entry here.
      writer.write(newParts[id]!, oldParts[base]);
    },
  });
  const { codes: values, ...rest } = writer.streams;
  const columns = { places: tree.places, codes: tree.codes, known: tree.known, values, ...rest };
  const streams = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, column.view()]),
  ) as Record<Exclude<StreamName, 'tail'>, Buffer>;
  return encodeDelta(
    {
      writer: WRITER_VERSION,
      dataset: subject.dataset,
      from: endOf(subject.old),
      to: endOf(subject.new),
      ipVersion: pair.new.metadata.ipVersion,
      changes: tree.changes,
      records,
      schema: encodeSchema(subject.schema),
    },
    { ...streams, tail: pair.new.tail },
  );
}

function endOf({ sha256, sizeBytes }: DeltaEnd): DeltaEnd {
  return { sha256, sizeBytes };
}

/** Interns the records of a file. Returns their part numbers by id. */
export function loadRecords({ data, offsets }: FileTree, pool: ValuePool, schema: Schema): Uint32Array {
  const loader = new RecordLoader(data, pool, schema);
  return offsets.map((offset) => loader.load(offset));
}

/** Returns the number in the old file of each record of the new one, or NO_RECORD. */
function numbersIn(oldParts: Uint32Array, newParts: Uint32Array): Uint32Array {
  const numbers = new Map<number, number>();
  oldParts.forEach((part, id) => numbers.set(part, id));
  return newParts.map((part) => numbers.get(part) ?? NO_RECORD);
}
