import { createHash } from 'node:crypto';
import { MmdbEncodeError } from '../mmdb/encode-error.js';
import { MmdbError } from '../mmdb/mmdb-error.js';
import { ValuePool } from '../mmdb/value-pool.js';
import { WRITER_VERSION } from '../mmdb/write.js';
import { ChangesError } from './changes-error.js';
import { decodeDelta, type Delta, type DeltaHeader } from './delta-file.js';
import { DigestingSink, emitFile } from './emit-file.js';
import { readFileTree } from './file-tree.js';
import { loadRecords } from './make-delta.js';
import { RecordReader } from './record-reader.js';
import { decodeSchema } from './schema-text.js';
import { patchTree } from './tree-patch.js';

/**
 * Rebuilds the new file of a delta from the old one, and passes it to `write` part by part. Throws ChangesError when the
 * delta is damaged, was made for another file, or the result is not the announced file: then `write` has received bytes
 * that must be thrown away.
 */
export function applyDelta(old: Buffer, bytes: Buffer, write: (bytes: Buffer) => void): DeltaHeader {
  const delta = decodeDelta(bytes);
  const { header } = delta;
  if (header.writer !== WRITER_VERSION)
    throw new ChangesError(
      'version',
      `delta for version ${header.writer} of the MMDB writer: this program has version ${WRITER_VERSION}`,
    );
  expectOld(old, header);
  const sink = new DigestingSink(write);
  rebuildOrFail(old, delta, sink);
  const sha256 = sink.sha256();
  if (sha256 !== header.to.sha256)
    throw new ChangesError(
      'result',
      `the rebuilt file has sha256 ${sha256} (${sink.sizeBytes} bytes), expected ${header.to.sha256} (${header.to.sizeBytes} bytes)`,
    );
  return header;
}

/** Returns the new file of a delta. Throws as `applyDelta`. */
export function rebuildFile(old: Buffer, delta: Buffer): Buffer {
  const parts: Buffer[] = [];
  applyDelta(old, delta, (bytes) => parts.push(Buffer.from(bytes)));
  return Buffer.concat(parts);
}

function expectOld(old: Buffer, { from }: DeltaHeader): void {
  const sha256 = old.length === from.sizeBytes ? createHash('sha256').update(old).digest('hex') : undefined;
  if (sha256 === from.sha256) return;
  const found = sha256 === undefined ? `has ${old.length} bytes` : `has sha256 ${sha256}`;
  throw new ChangesError(
    'other-file',
    `the file ${found}: the delta begins from sha256 ${from.sha256} (${from.sizeBytes} bytes)`,
  );
}

/** The old file is the announced one, so that every fault of the formats comes from the delta. */
function rebuildOrFail(old: Buffer, delta: Delta, sink: DigestingSink): void {
  try {
    rebuild(old, delta, sink);
  } catch (cause) {
    if (!(cause instanceof MmdbError || cause instanceof MmdbEncodeError)) throw cause;
    throw new ChangesError('damaged', `damaged delta: ${cause.message}`, { cause });
  }
}

function rebuild(old: Buffer, { header, streams }: Delta, sink: DigestingSink): void {
  const schema = decodeSchema(header.schema);
  if (schema === undefined) throw new ChangesError('damaged', 'damaged delta: its schema refers to itself');
  const tree = readFileTree(old);
  if (tree.metadata.ipVersion !== header.ipVersion)
    throw new ChangesError('damaged', 'damaged delta: it is for another IP version');
  const pool = new ValuePool();
  const oldParts = loadRecords(tree, pool, schema);
  const { places, codes, known, values, shapes, refs, texts, scalars } = streams;
  const reader = new RecordReader(pool, schema, { codes: values, shapes, refs, texts, scalars });
  const added: number[] = [];
  const slots = patchTree({
    ...{ old: tree, places, codes, known, changes: header.changes },
    onNew: (base) => added.push(reader.read(oldParts[base])),
  });
  reader.expectEnd();
  if (added.length !== header.records)
    throw new ChangesError(
      'damaged',
      `damaged delta: ${added.length} new records, expected ${header.records}`,
    );
  const parts = new Uint32Array(oldParts.length + added.length);
  parts.set(oldParts);
  parts.set(added, oldParts.length);
  emitFile({ ipVersion: header.ipVersion, slots, parts, pool, tail: streams.tail.bytes }, sink.write);
}
