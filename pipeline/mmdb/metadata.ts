import { DataCursor, typeName } from './data-cursor.js';
import { ValueDecoder, type MmdbValue } from './decode.js';
import { TYPE_NUMBERS as TYPE } from './encode.js';
import { METADATA_LIMIT_BYTES, METADATA_MARKER } from './encode-metadata.js';
import { MmdbError } from './mmdb-error.js';
import type { RecordSize } from './tree-bytes.js';

/** The metadata of an MMDB file (MaxMind DB format 2.0, "Database Metadata"). */
export interface MmdbMetadata {
  readonly nodeCount: number;
  readonly recordSize: RecordSize;
  readonly ipVersion: 4 | 6;
  /** Seconds since 1970; rounded beyond 2^53. */
  readonly buildEpoch: number;
  readonly databaseType: string;
  /** Empty when the file has none. */
  readonly languages: readonly string[];
  /** Descriptions by language; empty when the file has none. */
  readonly description: Readonly<Record<string, string>>;
  readonly binaryFormatMajorVersion: 2;
  readonly binaryFormatMinorVersion: number;
}

/** The metadata with its position in the file. */
export interface LocatedMetadata {
  readonly metadata: MmdbMetadata;
  /** The byte offset of the marker, which is the end of the data section. */
  readonly markerOffset: number;
  /** The byte offset after the metadata map; the length of the file unless bytes follow. */
  readonly end: number;
  /** Optional keys of the format that the file does not have. */
  readonly absent: readonly string[];
}

/**
 * Reads the metadata after the last marker in the last 128 KiB of the file. Ignores unknown keys. Throws MmdbError when
 * there is no marker, or when a required key is missing, has another type than the format gives it, or has a value that
 * no reader supports.
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
  if (metadata.nodeCount === 0)
    throw fields.error('node_count', 'node count 0: expected at least the root node');
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
  /** The offset in the file. */
  readonly offset: number;
  readonly type: number;
  readonly value: MmdbValue;
}

/** Reads the fields of the metadata map with their types: a decoded number alone does not show that it was a uint16. */
function readFields(section: Buffer, base: number): { fields: MetadataFields; end: number } {
  const decoder = new ValueDecoder(section, base);
  const cursor = new DataCursor(section, base);
  decoder.decode(0);
  const { end } = decoder;
  if (cursor.open(0) !== TYPE.map)
    throw cursor.error('metadata', 0, `metadata of type ${typeName(cursor.type)}: expected map`);
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

/** The fields of the metadata. Its methods check the type of a field and return its value. */
class MetadataFields {
  readonly #fields: ReadonlyMap<string, Field>;
  /** The offset of the map in the file. */
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
    if (known === undefined) throw this.error(key, `${value}: expected ${allowed.join(', ')}`);
    return known;
  }

  text(key: string): string {
    return this.#valueOf(key, TYPE.string) as string;
  }

  languages(): readonly string[] {
    if (!this.has('languages')) return [];
    const languages = this.#valueOf('languages', TYPE.array) as readonly MmdbValue[];
    if (!languages.every((language) => typeof language === 'string')) {
      throw this.error('languages', 'a language that is not a string');
    }
    return languages;
  }

  description(): Readonly<Record<string, string>> {
    if (!this.has('description')) return {};
    const description = this.#valueOf('description', TYPE.map) as Readonly<Record<string, MmdbValue>>;
    if (!isTexts(description)) throw this.error('description', 'a description that is not a string');
    return description;
  }

  error(key: string, found: string): MmdbError {
    const offset = this.#fields.get(key)?.offset ?? this.#start;
    return new MmdbError('metadata', { offset, path: `/${key}` }, found);
  }

  #valueOf(key: string, type: number): MmdbValue {
    const field = this.#fields.get(key);
    if (!field) throw this.error(key, 'missing');
    if (field.type === type) return field.value;
    throw this.error(key, `type ${typeName(field.type)}: expected ${typeName(type)}`);
  }
}

function isTexts(values: Readonly<Record<string, MmdbValue>>): values is Readonly<Record<string, string>> {
  return Object.values(values).every((value) => typeof value === 'string');
}
