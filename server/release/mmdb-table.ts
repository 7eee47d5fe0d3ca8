import { Reader, type Response } from 'maxmind';
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
  readonly #reader: Reader<Response>;
  readonly #tree: AddressTree;
  readonly #cache: RecordCache;
  /** The difference between a pointer in the tree and the record's offset in the file. */
  readonly #pointerBase: number;
  readonly #bounds: RecordBounds;

  /** Throws when the bytes contain no metadata that can be decoded. Checks nothing else. */
  constructor(bytes: Buffer, cache = new RecordCache()) {
    this.#cache = cache;
    const metadataStart = bytes.lastIndexOf(METADATA_MARKER) + METADATA_MARKER.length;
    new RecordBounds(bytes, metadataStart).check(metadataStart);
    this.#reader = new Reader(bytes, { cache });
    this.metadata = this.#reader.metadata;
    this.#tree = new AddressTree(bytes, this.metadata);
    this.#pointerBase = this.metadata.searchTreeSize - this.metadata.nodeCount;
    this.#bounds = new RecordBounds(bytes, this.metadata.searchTreeSize + SEPARATOR_BYTES);
  }

  /** Returns the record of an address. Throws when the record cannot be decoded. */
  get(ip: string): Record | undefined {
    const pointer = this.#tree.find(ip);
    if (pointer === undefined) return undefined;
    return (this.#cache.get(pointer + this.#pointerBase)?.value ?? this.#decode(pointer, ip)) as Record;
  }

  /** Returns the record of a 32-bit key, such as an AS number, in an IPv4 file. */
  getKey(key: number): Record | undefined {
    const pointer = this.#tree.findKey(key);
    if (pointer === undefined) return undefined;
    return (this.#cache.get(pointer + this.#pointerBase)?.value ??
      this.#decode(pointer, formatIpv4(key))) as Record;
  }

  #decode(pointer: number, ip: string): unknown {
    this.#bounds.check(pointer + this.#pointerBase);
    return this.#reader.get(ip);
  }
}

/** Marks the start of the metadata (MaxMind DB 2.0, "Database Metadata"). */
export const METADATA_MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** Zero bytes between search tree and data section. */
export const SEPARATOR_BYTES = 16;
