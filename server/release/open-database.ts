import type { ManifestFile } from '../../pipeline/release/contract.js';
import { MmdbTable } from './mmdb-table.js';
import { ReleaseRefused } from './release-refused.js';

/** What a file has to be. */
export interface DatabaseKind {
  readonly type: RegExp;
  /** 6: records by addresses of both families; 4: by keys of 32 bits. */
  readonly ipVersion: number;
}

/**
 * Opens an MMDB file whose bytes are those of the manifest. Throws ReleaseRefused when it is a database of another
 * type, its metadata is not what the manifest says, or its parts do not fit into it.
 */
export function openDatabase<Record extends object>(
  bytes: Buffer,
  file: ManifestFile,
  { type, ipVersion }: DatabaseKind,
): MmdbTable<Record> {
  const metadataStart = bytes.lastIndexOf(METADATA_MARKER);
  if (metadataStart < 0 || metadataStart < bytes.length - METADATA_LIMIT_BYTES) {
    throw new ReleaseRefused(file.name, 'has no MMDB metadata at its end');
  }
  const table = readTable<Record>(bytes, file.name);
  const { metadata } = table;
  if (!type.test(metadata.databaseType) || metadata.ipVersion !== ipVersion) {
    throw new ReleaseRefused(
      file.name,
      `is a database of type ${JSON.stringify(metadata.databaseType)} for IPv${metadata.ipVersion}`,
    );
  }
  for (const [field, found, expected] of statements(metadata, file)) {
    if (found !== expected) {
      throw new ReleaseRefused(file.name, `its metadata says ${field} ${found}, the manifest ${expected}`);
    }
  }
  checkParts(bytes, { metadata, metadataStart, name: file.name });
  return table;
}

/** Stands before the metadata (MaxMind DB 2.0, "Database Metadata"), which begins in the last 128 KiB. */
const METADATA_MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const METADATA_LIMIT_BYTES = 128 * 1024;

/** Zero bytes between the search tree and the data. */
const SEPARATOR_BYTES = 16;

/** A field of the metadata. */
type Stated = string | number;

type Metadata = MmdbTable<object>['metadata'];

function readTable<Record extends object>(bytes: Buffer, name: string): MmdbTable<Record> {
  try {
    return new MmdbTable<Record>(bytes);
  } catch (cause) {
    throw new ReleaseRefused(name, `its metadata cannot be read: ${String(cause)}`, { cause });
  }
}

function statements(
  found: Metadata,
  expected: ManifestFile,
): [field: string, found: Stated, expected: Stated][] {
  return [
    ['format', found.binaryFormatMajorVersion, 2],
    ['type', found.databaseType, expected.databaseType],
    ['ip_version', found.ipVersion, expected.ipVersion],
    ['record_size', found.recordSize, expected.recordSize],
    ['node_count', found.nodeCount, expected.nodeCount],
    ['build_epoch', found.buildEpoch.getTime() / 1000, expected.buildEpoch],
    ['languages', String(found.languages), String(expected.languages)],
  ];
}

/** Tree, separator and data lie one behind the other up to the metadata. */
function checkParts(
  bytes: Buffer,
  { metadata, metadataStart, name }: { metadata: Metadata; metadataStart: number; name: string },
): void {
  const dataStart = metadata.searchTreeSize + SEPARATOR_BYTES;
  if (dataStart > metadataStart) {
    throw new ReleaseRefused(name, `its tree of ${metadata.nodeCount} nodes does not fit into it`);
  }
  if (bytes.subarray(metadata.searchTreeSize, dataStart).some((byte) => byte !== 0)) {
    throw new ReleaseRefused(name, 'no separator stands behind its tree');
  }
}
