import { Reader, type Response } from 'maxmind';
import { FieldDecoder, type WantedKeys } from '../../pipeline/mmdb/field-decoder.js';
import { formatIpv4 } from '../../pipeline/net/address.js';
import { AddressTree } from './address-tree.js';
import { RecordBounds } from './record-bounds.js';
import { RecordCache } from './record-cache.js';
import type { AddressTable } from './snapshot.js';

/**
 * An MMDB file in memory. `maxmind`'s reader parses metadata and decodes records. Its address lookup is slow, so
 * AddressTree finds records that are already decoded. Records are frozen.
 *
 * The reader accepts any text as an address, so it gets only addresses that the tree has found.
 */
export class MmdbTable<Record extends object> implements AddressTable<Record> {
  readonly metadata: Reader<Response>['metadata'];
  /** Finds addresses without decoding their records. */
  readonly tree: AddressTree;
  readonly #reader: Reader<Response>;
  readonly #cache: RecordCache;
  /** The difference between a pointer in the tree and the record's offset in the file. */
  readonly #pointerBase: number;
  readonly #bounds: RecordBounds;
  /** Decodes the wanted fields only. */
  readonly #fields: FieldDecoder | undefined;
  /** The offset of the data section in the file. */
  readonly #dataStart: number;

  /**
   * Throws when the bytes contain no metadata that can be decoded. Checks nothing else. With `wanted`, records have these
   * fields only, and take a fifth of the time.
   */
  constructor(bytes: Buffer, cache = new RecordCache(), wanted?: WantedKeys) {
    this.#cache = cache;
    const metadataStart = bytes.lastIndexOf(METADATA_MARKER) + METADATA_MARKER.length;
    new RecordBounds(bytes, metadataStart).check(metadataStart);
    this.#reader = new Reader(bytes, { cache });
    this.metadata = this.#reader.metadata;
    this.tree = new AddressTree(bytes, this.metadata);
    this.#pointerBase = this.metadata.searchTreeSize - this.metadata.nodeCount;
    this.#dataStart = this.metadata.searchTreeSize + SEPARATOR_BYTES;
    this.#bounds = new RecordBounds(bytes, this.#dataStart);
    const data = bytes.subarray(this.#dataStart, metadataStart - METADATA_MARKER.length);
    this.#fields = wanted && new FieldDecoder(data, this.#dataStart, wanted);
  }

  /** Returns the record of an address. Throws when the record cannot be decoded. */
  get(ip: string): Record | undefined {
    const pointer = this.tree.find(ip);
    if (pointer === undefined) return undefined;
    return (this.#cache.get(pointer + this.#pointerBase)?.value ?? this.#decode(pointer, ip)) as Record;
  }

  /** Returns the record of a 32-bit key, such as an AS number, in an IPv4 file. */
  getKey(key: number): Record | undefined {
    const pointer = this.tree.findKey(key);
    if (pointer === undefined) return undefined;
    return (this.#cache.get(pointer + this.#pointerBase)?.value ??
      this.#decode(pointer, formatIpv4(key))) as Record;
  }

  #decode(pointer: number, ip: string): unknown {
    if (this.#fields !== undefined) return this.#decodeFields(this.#fields, pointer + this.#pointerBase);
    this.#bounds.check(pointer + this.#pointerBase);
    return this.#reader.get(ip);
  }

  #decodeFields(fields: FieldDecoder, offset: number): unknown {
    const value = fields.decode(offset - this.#dataStart);
    this.#cache.set(offset, { value, offset });
    return value;
  }
}

/** Marks the start of the metadata (MaxMind DB 2.0, "Database Metadata"). */
export const METADATA_MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** Zero bytes between search tree and data section. */
export const SEPARATOR_BYTES = 16;
