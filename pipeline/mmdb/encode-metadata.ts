import { ByteColumn } from './byte-column.js';
import { encodeControl, encodeScalar, encodeString, TYPE_NUMBERS } from './encode.js';
import { MmdbEncodeError } from './encode-error.js';
import type { RecordSize } from './tree-bytes.js';

/** What the metadata tells about a file, apart from what the writer counts itself. */
export interface FileDescription {
  /** e.g. `ipatlas-City`. Names that begin with `GeoIP` belong to MaxMind. */
  readonly databaseType: string;
  /** Texts by language; not empty. */
  readonly description: Readonly<Record<string, string>>;
  /** Languages of the names in the records, e.g. `en`, `zh-CN`. */
  readonly languages: readonly string[];
  readonly ipVersion: 4 | 6;
  /** Seconds since 1970. */
  readonly buildEpoch: number;
}

/** Stands before the metadata; readers take the last one in the file. */
export const METADATA_MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** Marker and metadata lie within the last 128 KiB of a file: readers search no further. */
export const METADATA_LIMIT_BYTES = 128 * 1024;

/**
 * Marker and metadata map. No pointers are used, and a scalar stands last: libmaxminddb 1.13.0-1.13.2 refuses a
 * file that ends with an empty map or array. Throws MmdbEncodeError for a description that readers would refuse.
 */
export function encodeMetadata(file: FileDescription, nodeCount: number, recordSize: RecordSize): Buffer {
  const descriptions = Object.entries(file.description);
  if (descriptions.length === 0) throw new MmdbEncodeError('no description', '/description');
  if (file.databaseType.startsWith('GeoIP')) {
    throw new MmdbEncodeError(`"${file.databaseType}": names with GeoIP belong to MaxMind`, '/database_type');
  }
  const out = new ByteColumn();
  encodeControl(TYPE_NUMBERS.map, 9, out);
  encodeString('binary_format_major_version', out);
  encodeScalar(2, 'uint16', out);
  encodeString('binary_format_minor_version', out);
  encodeScalar(0, 'uint16', out);
  encodeString('build_epoch', out);
  encodeScalar(BigInt(file.buildEpoch), 'uint64', out);
  encodeString('database_type', out);
  encodeScalar(file.databaseType, 'string', out);
  encodeString('description', out);
  encodeControl(TYPE_NUMBERS.map, descriptions.length, out);
  for (const [language, text] of descriptions) {
    encodeString(language, out);
    encodeString(text, out);
  }
  encodeString('ip_version', out);
  encodeScalar(file.ipVersion, 'uint16', out);
  encodeString('languages', out);
  encodeControl(TYPE_NUMBERS.array, file.languages.length, out);
  for (const language of file.languages) encodeString(language, out);
  encodeString('node_count', out);
  encodeScalar(nodeCount, 'uint32', out);
  encodeString('record_size', out);
  encodeScalar(recordSize, 'uint16', out);
  const metadata = Buffer.concat([METADATA_MARKER, out.view()]);
  if (metadata.length > METADATA_LIMIT_BYTES) {
    throw new MmdbEncodeError(`metadata of ${metadata.length} bytes, readers search ${METADATA_LIMIT_BYTES}`);
  }
  return metadata;
}
