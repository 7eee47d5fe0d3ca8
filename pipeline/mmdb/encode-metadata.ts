import { ByteColumn } from './byte-column.js';
import { encodeControl, encodeScalar, encodeString, TYPE_NUMBERS } from './encode.js';
import { MmdbEncodeError } from './encode-error.js';
import type { RecordSize } from './tree-bytes.js';

/** The metadata of a file, except for the figures that the writer adds. */
export interface FileDescription {
  /** For example `ipatlas-City`. */
  readonly databaseType: string;
  /** Descriptions by language; not empty. */
  readonly description: Readonly<Record<string, string>>;
  /** The languages of names in the records, for example `en`, `zh-CN`. */
  readonly languages: readonly string[];
  readonly ipVersion: 4 | 6;
  /** Seconds since 1970. */
  readonly buildEpoch: number;
}

/** The marker before the metadata. Readers use the last one in the file. */
export const METADATA_MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** The maximum size of marker and metadata: readers search the last 128 KiB of a file. */
export const METADATA_LIMIT_BYTES = 128 * 1024;

/**
 * Encodes the marker and the metadata map. Uses no pointers, and ends with a scalar: libmaxminddb 1.13.0-1.13.2 rejects
 * a file that ends with an empty map or array. Throws MmdbEncodeError for a description that readers would reject.
 */
export function encodeMetadata(file: FileDescription, nodeCount: number, recordSize: RecordSize): Buffer {
  const descriptions = Object.entries(file.description);
  if (descriptions.length === 0)
    throw new MmdbEncodeError('empty description: expected at least one language', '/description');
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
    throw new MmdbEncodeError(
      `metadata of ${metadata.length} bytes: expected at most ${METADATA_LIMIT_BYTES}`,
    );
  }
  return metadata;
}
