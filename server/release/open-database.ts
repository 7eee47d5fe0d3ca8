import type { WantedKeys } from '../../pipeline/mmdb/field-decoder.js';
import type { ManifestFile } from '../../pipeline/release/contract.js';
import { RecordCache } from './record-cache.js';
import { METADATA_MARKER, MmdbTable, SEPARATOR_BYTES } from './mmdb-table.js';
import { ReleaseRefused } from './snapshot.js';

/** The required type of a file. */
export interface DatabaseKind {
  readonly type: RegExp;
  /** 6: records by IPv4 and IPv6 address. 4: records by 32-bit key. */
  readonly ipVersion: number;
  /** The fields that are decoded; all by default. */
  readonly fields?: WantedKeys;
}

/**
 * Opens an MMDB file with verified size and digest. Throws ReleaseRefused when the database has another type, its
 * metadata differs from the manifest, or its sections do not fit the file.
 */
export function openDatabase<Record extends object>(
  bytes: Buffer,
  file: ManifestFile,
  { type, ipVersion, fields }: DatabaseKind,
): MmdbTable<Record> {
  const metadataStart = bytes.lastIndexOf(METADATA_MARKER);
  if (metadataStart < 0 || metadataStart < bytes.length - METADATA_LIMIT_BYTES) {
    throw new ReleaseRefused(file.name, 'has no MMDB metadata in its last 128 KiB');
  }
  const table = readTable<Record>(bytes, file.name, fields);
  const { metadata } = table;
  if (!type.test(metadata.databaseType) || metadata.ipVersion !== ipVersion) {
    throw new ReleaseRefused(
      file.name,
      `has type ${JSON.stringify(metadata.databaseType)} and IP version ${metadata.ipVersion}, expected ${type.source} and ${ipVersion}`,
    );
  }
  for (const [field, found, expected] of comparedFields(metadata, file)) {
    if (found !== expected) {
      throw new ReleaseRefused(
        file.name,
        `${field} is ${found} in its metadata but ${expected} in the manifest`,
      );
    }
  }
  checkSections(bytes, { metadata, metadataStart, name: file.name });
  return table;
}

/** The metadata are in the last 128 KiB. */
const METADATA_LIMIT_BYTES = 128 * 1024;

/** The value of a metadata field. */
type FieldValue = string | number;

type Metadata = MmdbTable<object>['metadata'];

function readTable<Record extends object>(
  bytes: Buffer,
  name: string,
  fields: WantedKeys | undefined,
): MmdbTable<Record> {
  try {
    return new MmdbTable<Record>(bytes, new RecordCache(), fields);
  } catch (cause) {
    throw new ReleaseRefused(name, `unreadable metadata: ${String(cause)}`, { cause });
  }
}

function comparedFields(
  found: Metadata,
  expected: ManifestFile,
): [field: string, found: FieldValue, expected: FieldValue][] {
  return [
    ['format', found.binaryFormatMajorVersion, 2],
    ['type', found.databaseType, expected.databaseType],
    ['ip_version', found.ipVersion, expected.ipVersion],
    ['record_size', found.recordSize, expected.recordSize],
    ['node_count', found.nodeCount, expected.nodeCount],
    ['build_epoch', epochOf(found), expected.buildEpoch],
    ['languages', String(found.languages), String(expected.languages)],
  ];
}

/** Returns the build epoch in seconds. The reader does not keep a value that is too large for a date. */
function epochOf({ buildEpoch }: Metadata): FieldValue {
  const ms = buildEpoch.getTime();
  return Number.isNaN(ms) ? 'beyond the last date' : ms / 1000;
}

/** Checks that search tree, separator and data section precede the metadata. */
function checkSections(
  bytes: Buffer,
  { metadata, metadataStart, name }: { metadata: Metadata; metadataStart: number; name: string },
): void {
  const dataStart = metadata.searchTreeSize + SEPARATOR_BYTES;
  if (dataStart > metadataStart) {
    throw new ReleaseRefused(name, `a search tree of ${metadata.nodeCount} nodes does not fit the file`);
  }
  if (bytes.subarray(metadata.searchTreeSize, dataStart).some((byte) => byte !== 0)) {
    throw new ReleaseRefused(name, 'no separator follows the search tree');
  }
}
