import { Reader, type Response } from 'maxmind';
import { formatIpv4 } from '../../pipeline/net/address.js';
import { AddressTree } from './address-tree.js';
import { RecordCache } from './record-cache.js';
import type { AddressTable } from './snapshot.js';

/**
 * An MMDB file in memory. `maxmind`'s reader reads metadata and decodes; it splits and parses texts for every address
 * it is given, so an address tree of our own finds the records that are decoded already. Records are frozen.
 *
 * The reader does not check addresses and takes any text for one: it is given only what the tree has found.
 */
export class MmdbTable<Record extends object> implements AddressTable<Record> {
  readonly metadata: Reader<Response>['metadata'];
  readonly #reader: Reader<Response>;
  readonly #tree: AddressTree;
  readonly #cache: RecordCache;
  /** From a pointer in the tree to the offset of the record in the file. */
  readonly #pointerBase: number;

  /** Throws when there is no metadata in it; checks nothing else. */
  constructor(bytes: Buffer, cache = new RecordCache()) {
    this.#cache = cache;
    this.#reader = new Reader(bytes, { cache });
    this.metadata = this.#reader.metadata;
    this.#tree = new AddressTree(bytes, this.metadata);
    this.#pointerBase = this.metadata.searchTreeSize - this.metadata.nodeCount;
  }

  get(ip: string): Record | undefined {
    const pointer = this.#tree.find(ip);
    if (pointer === undefined) return undefined;
    return (this.#cache.get(pointer + this.#pointerBase)?.value ?? this.#reader.get(ip)) as Record;
  }

  /** The record of a key of 32 bits in a file of IPv4 addresses, such as an AS number. */
  getKey(key: number): Record | undefined {
    const pointer = this.#tree.findKey(key);
    if (pointer === undefined) return undefined;
    return (this.#cache.get(pointer + this.#pointerBase)?.value ??
      this.#reader.get(formatIpv4(key))) as Record;
  }
}
