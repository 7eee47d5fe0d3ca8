import { DataCursor, typeName } from './data-cursor.js';
import { ValueDecoder, type MmdbValue } from './decode.js';
import { TYPE_NUMBERS as TYPE } from './encode.js';
import { METADATA_LIMIT_BYTES, METADATA_MARKER } from './encode-metadata.js';
import { MmdbError } from './mmdb-error.js';
import type { RecordSize } from './tree-bytes.js';

/** What an MMDB file says about itself (MaxMind DB format 2.0, "Database Metadata"). */
export interface MmdbMetadata {
  readonly nodeCount: number;
  readonly recordSize: RecordSize;
  readonly ipVersion: 4 | 6;
  /** Seconds since 1970; rounded beyond 2^53. */
  readonly buildEpoch: number;
  readonly databaseType: string;
  /** Empty when the file does not say. */
  readonly languages: readonly string[];
  /** Texts by language; empty when the file does not say. */
  readonly description: Readonly<Record<string, string>>;
  readonly binaryFormatMajorVersion: 2;
  readonly binaryFormatMinorVersion: number;
}

/** The metadata and where it stands. */
export interface LocatedMetadata {
  readonly metadata: MmdbMetadata;
  /** Byte offset of the marker: the data section ends here. */
  readonly markerOffset: number;
  /** Byte offset behind the metadata map; the length of the file unless something follows. */
  readonly end: number;
  /** Keys that the format calls optional and the file does not have. */
  readonly absent: readonly string[];
}

/**
 * Reads the metadata behind the last marker of the file, which lies within its last 128 KiB. Keys that the format
 * does not know are passed over. Throws MmdbError when there is no marker, or a key is missing, of another type
 * than the format gives it, or of a value that no reader can work with.
 */
export function readMetadata(file: Buffer): LocatedMetadata {
  const markerOffset = findMarker(file);
  const start = markerOffset + METADATA_MARKER.length;
  const { fields, end } = readFields(file.subarray(start), start);
  const metadata: MmdbMetadata = {
    nodeCount: fields.integer('node_count', TYPE.uint32),
    recordSize: fields.oneOf('record_size', [24, 28, 32]),
    ipVersion: fields.oneOf('ip_version', [4, 6]),
    buildEpoch: fields.integer('build_epoch', TYPE.uint64),
    databaseType: fields.text('database_type'),
    languages: fields.languages(),
    description: fields.description(),
    binaryFormatMajorVersion: fields.oneOf('binary_format_major_version', [2]),
    binaryFormatMinorVersion: fields.integer('binary_format_minor_version', TYPE.uint16),
  };
  if (metadata.nodeCount === 0) throw fields.error('node_count', 'a file without a root node');
  return {
    metadata,
    markerOffset,
    end: start + end,
    absent: OPTIONAL_KEYS.filter((key) => !fields.has(key)),
  };
}

const OPTIONAL_KEYS = ['description', 'languages'];

function findMarker(file: Buffer): number {
  const from = Math.max(0, file.length - METADATA_LIMIT_BYTES);
  const found = file.subarray(from).lastIndexOf(METADATA_MARKER);
  if (found < 0) {
    throw new MmdbError(
      'marker',
      { offset: file.length, path: '/' },
      'no metadata marker in the last 128 KiB',
    );
  }
  return from + found;
}

interface Field {
  /** Offset in the file. */
  readonly offset: number;
  readonly type: number;
  readonly value: MmdbValue;
}

/** Walks the metadata map itself, because a decoded 2 no longer says whether it was a uint16. */
function readFields(section: Buffer, base: number): { fields: MetadataFields; end: number } {
  const decoder = new ValueDecoder(section, base);
  const cursor = new DataCursor(section, base);
  decoder.decode(0);
  const { end } = decoder;
  if (cursor.open(0) !== TYPE.map) throw cursor.error('metadata', 0, 'the metadata is not a map');
  const fields = new Map<string, Field>();
  const count = cursor.size;
  for (let i = 0, at = cursor.payload; i < count; i++) {
    const key = decoder.decode(at) as string;
    const offset = decoder.end;
    const value = decoder.decode(offset);
    at = decoder.end;
    if (cursor.open(offset) === TYPE.pointer) cursor.follow(offset);
    fields.set(key, { offset: base + offset, type: cursor.type, value });
  }
  return { fields: new MetadataFields(fields, base), end };
}

/** The fields of the metadata, each handed out as the type it must have. */
class MetadataFields {
  readonly #fields: ReadonlyMap<string, Field>;
  /** Offset in the file of the map. */
  readonly #start: number;

  constructor(fields: ReadonlyMap<string, Field>, start: number) {
    this.#fields = fields;
    this.#start = start;
  }

  has(key: string): boolean {
    return this.#fields.has(key);
  }

  integer(key: string, type: number): number {
    return Number(this.#valueOf(key, type));
  }

  oneOf<T extends number>(key: string, allowed: readonly T[]): T {
    const value = this.integer(key, TYPE.uint16);
    const known = allowed.find((candidate) => candidate === value);
    if (known === undefined) throw this.error(key, `${value} is not ${allowed.join(', ')}`);
    return known;
  }

  text(key: string): string {
    return this.#valueOf(key, TYPE.string) as string;
  }

  languages(): readonly string[] {
    if (!this.has('languages')) return [];
    const languages = this.#valueOf('languages', TYPE.array) as readonly MmdbValue[];
    if (!languages.every((language) => typeof language === 'string')) {
      throw this.error('languages', 'a language is not a string');
    }
    return languages;
  }

  description(): Readonly<Record<string, string>> {
    if (!this.has('description')) return {};
    const description = this.#valueOf('description', TYPE.map) as Readonly<Record<string, MmdbValue>>;
    if (!isTexts(description)) throw this.error('description', 'a description is not a string');
    return description;
  }

  error(key: string, found: string): MmdbError {
    const offset = this.#fields.get(key)?.offset ?? this.#start;
    return new MmdbError('metadata', { offset, path: `/${key}` }, found);
  }

  #valueOf(key: string, type: number): MmdbValue {
    const field = this.#fields.get(key);
    if (!field) throw this.error(key, 'missing from the metadata');
    if (field.type === type) return field.value;
    throw this.error(key, `${typeName(field.type)} where the format has ${typeName(type)}`);
  }
}

function isTexts(values: Readonly<Record<string, MmdbValue>>): values is Readonly<Record<string, string>> {
  return Object.values(values).every((value) => typeof value === 'string');
}
