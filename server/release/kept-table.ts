import { newAddress, parseAddressInto } from '../../pipeline/net/address.js';
import { METADATA_MARKER, SEPARATOR_BYTES } from './mmdb-table.js';
import { PagedDecoder } from './paged-decoder.js';
import { PagedFile } from './paged-file.js';

/** The metadata are in the last 128 KiB. */
const METADATA_LIMIT_BYTES = 128 * 1024;

/** An MMDB file of a kept release, which is read where a lookup needs it. */
export class KeptTable {
  readonly #file: PagedFile;
  readonly #decoder: PagedDecoder;
  readonly #nodeCount: number;
  readonly #recordSize: number;
  readonly #treeBytes: number;
  readonly #ipVersion: number;

  /** Throws RangeError when the file is no MMDB, and the system error when it cannot be opened. */
  constructor(path: string) {
    this.#file = new PagedFile(path);
    try {
      const metadata = this.#readMetadata();
      this.#nodeCount = numberIn(metadata, 'node_count');
      this.#recordSize = numberIn(metadata, 'record_size');
      this.#ipVersion = numberIn(metadata, 'ip_version');
      this.#treeBytes = (this.#nodeCount * this.#recordSize) / 4;
      if (![24, 28, 32].includes(this.#recordSize) || this.#treeBytes > this.#file.sizeBytes)
        throw new RangeError('its search tree does not fit the file');
      this.#decoder = new PagedDecoder(this.#file, this.#treeBytes + SEPARATOR_BYTES);
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  /** Returns the record of an address; undefined without one. Throws RangeError when the file is damaged. */
  get(ip: string): unknown {
    const address = newAddress();
    const family = parseAddressInto(ip, address);
    if (family === undefined || (family === 6 && this.#ipVersion === 4)) return undefined;
    const words = family === 4 ? [0, 0, 0, address[3]!] : [...address];
    return this.#recordAt(words, this.#ipVersion === 4 ? 96 : 0);
  }

  /** Returns the record of a 32-bit key, such as an AS number, in an IPv4 file. */
  getKey(key: number): unknown {
    return this.#recordAt([0, 0, 0, key], 96);
  }

  close(): void {
    this.#file.close();
  }

  #recordAt(words: readonly number[], from: number): unknown {
    let node = 0;
    for (let depth = from; depth < 128 && node < this.#nodeCount; depth++)
      node = this.#child(node, (words[depth >>> 5]! >>> (31 - (depth & 31))) & 1);
    // The number of nodes means no record. A tree deeper than an address has none either.
    if (node <= this.#nodeCount) return undefined;
    return this.#decoder.decode(node - this.#nodeCount + this.#treeBytes);
  }

  /** Reads the left or right record of a node; see MaxMind DB 2.0, "Binary Search Tree Section". */
  #child(node: number, bit: number): number {
    const at = (node * this.#recordSize) / 4;
    if (this.#recordSize !== 28)
      return this.#file.uint(at + (bit * this.#recordSize) / 8, this.#recordSize / 8);
    const middle = this.#file.byte(at + 3);
    const high = bit === 0 ? middle >>> 4 : middle & 15;
    return high * 2 ** 24 + this.#file.uint(at + 4 * bit, 3);
  }

  #readMetadata(): unknown {
    const { sizeBytes } = this.#file;
    const from = Math.max(0, sizeBytes - METADATA_LIMIT_BYTES);
    const at = this.#file.bytes(from, sizeBytes - from).lastIndexOf(METADATA_MARKER);
    if (at < 0) throw new RangeError('it has no MMDB metadata');
    const start = from + at + METADATA_MARKER.length;
    return new PagedDecoder(this.#file, start).decode(start);
  }
}

function numberIn(metadata: unknown, key: string): number {
  const value = (metadata as Readonly<Record<string, unknown>> | undefined)?.[key];
  if (typeof value === 'number') return value;
  throw new RangeError(`its metadata has no ${key}`);
}
