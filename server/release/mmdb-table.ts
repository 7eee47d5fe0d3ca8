import { Reader, type Response } from 'maxmind';
import { formatIpv4 } from '../../pipeline/net/address.js';
import { AddressTree } from './address-tree.js';
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

  /** Throws when the bytes contain no metadata. Checks nothing else. */
  constructor(bytes: Buffer, cache = new RecordCache()) {
    this.#cache = cache;
    this.#reader = new Reader(bytes, { cache });
    this.metadata = this.#reader.metadata;
    this.#tree = new AddressTree(bytes, this.metadata);
    this.#pointerBase = this.metadata.searchTreeSize - this.metadata.nodeCount;
  }

  /** Returns the record of an address. */
  get(ip: string): Record | undefined {
    const pointer = this.#tree.find(ip);
    if (pointer === undefined) return undefined;
    return (this.#cache.get(pointer + this.#pointerBase)?.value ?? this.#reader.get(ip)) as Record;
  }

  /** Returns the record of a 32-bit key, such as an AS number, in an IPv4 file. */
  getKey(key: number): Record | undefined {
    const pointer = this.#tree.findKey(key);
    if (pointer === undefined) return undefined;
    return (this.#cache.get(pointer + this.#pointerBase)?.value ??
      this.#reader.get(formatIpv4(key))) as Record;
  }
}
