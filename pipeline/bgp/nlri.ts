import { IPV4_DEPTH, type Family } from '../net/address.js';
import { maskInto, prefixFamily, type Prefix } from '../net/prefix.js';
import { newAddress } from '../net/address.js';
import type { Reason } from '../input/tally.js';
import { readAddress } from './wire-address.js';

/**
 * A prefix on the wire (NLRI, RFC 4271 §4.3). TABLE_DUMP has the whole address and its length instead, see `set`.
 *
 *     length in bits u8 | address, ceil(length / 8) bytes
 */
export class NlriPrefix implements Prefix {
  readonly address = newAddress();
  length = 0;
  family: Family = 4;
  /** Whether bits after the prefix length were set; they are cleared. */
  hadHostBits = false;
  /** The position after the prefix. */
  end = 0;
  readonly #whole = new DataView(new ArrayBuffer(16));

  /** Reads the prefix at `at`, which must not exceed `end`. Returns the reason if it is invalid, else undefined. */
  read(bytes: DataView, at: number, end: number, family: Family): Reason | undefined {
    if (at >= end) return 'record-length';
    const length = bytes.getUint8(at);
    if (length > WIDTH[family]) return 'prefix-length';
    const next = at + 1 + ((length + 7) >>> 3);
    if (next > end) return 'record-length';
    for (let from = at + 1, to = 0; to < WIDTH[family] >>> 3; from++, to++) {
      this.#whole.setUint8(to, from < next ? bytes.getUint8(from) : 0);
    }
    this.end = next;
    return this.set(this.#whole, 0, family, length);
  }

  /**
   * Reads an address of 4 or 16 bytes with a length in bits. Returns the reason if it is not a prefix, else undefined.
   */
  set(bytes: DataView, at: number, family: Family, length: number): Reason | undefined {
    if (length > WIDTH[family]) return 'prefix-length';
    readAddress(bytes, at, family, this.address);
    this.family = family;
    this.length = family === 4 ? length + IPV4_DEPTH : length;
    this.hadHostBits = maskInto(this.address, this.length);
    // An IPv6 prefix in ::/96 is rejected: the tables keep IPv4 there, and it is not announced (RFC 4291 §2.5.5.1).
    return prefixFamily(this.address, this.length) === family ? undefined : 'reserved';
  }
}

const WIDTH = { 4: 32, 6: 128 } as const;
