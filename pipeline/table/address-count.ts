import assert from 'node:assert';
import { ADDRESS_BITS, IPV4_DEPTH, isInIpv4Space, type Address, type Family } from '../net/address.js';
import { prefixFamily } from '../net/prefix.js';

/**
 * Counts the addresses of disjoint networks, without an allocation per network. IPv6 is counted in single addresses:
 * networks longer than /64 are summed exactly, and the sum is rounded once, when it is read.
 */
export class AddressCount {
  #ipv4 = 0;
  /** IPv6 addresses as one integer of five 32-bit words, the least significant first. The sum never exceeds 2^128. */
  readonly #ipv6 = new Uint32Array(5);

  /** The number of IPv4 addresses; exact. */
  get ipv4Addresses(): number {
    return this.#ipv4;
  }

  /**
   * The number of IPv6 /64 networks, rounded down. Exact up to 2^53 (a /11), above that the nearest double. The space
   * that the registries have delegated so far is below 2^53.
   */
  get ipv6Slash64s(): number {
    const words = this.#ipv6;
    return words[2]! + words[3]! * 2 ** 32 + words[4]! * 2 ** 64;
  }

  /** Adds `count` networks of `length` bits in the 128-bit space (96..128 for IPv4); `count` is below 2^32. */
  add(length: number, family: Family, count = 1): void {
    const bits = ADDRESS_BITS - length;
    if (family === 6) {
      const size = count * 2 ** (bits & 31);
      this.#carryInto(bits >>> 5, size % 2 ** 32);
      this.#carryInto((bits >>> 5) + 1, Math.floor(size / 2 ** 32));
      return;
    }
    assert(length >= IPV4_DEPTH, 'invalid IPv4 prefix length in the 128-bit space: expected 96-128');
    this.#ipv4 += count * 2 ** bits;
  }

  /** Adds a network of a table. A network that contains ::/96 is counted in both families. */
  addNetwork(address: Address, length: number): void {
    if (length >= IPV4_DEPTH || !isInIpv4Space(address)) {
      this.add(length, prefixFamily(address, length));
      return;
    }
    for (let rest = length + 1; rest <= IPV4_DEPTH; rest++) this.add(rest, 6);
    this.add(IPV4_DEPTH, 4);
  }

  /** Adds the addresses of another count. */
  addCount(other: AddressCount): void {
    this.#ipv4 += other.#ipv4;
    for (let word = 0; word < this.#ipv6.length; word++) this.#carryInto(word, other.#ipv6[word]!);
  }

  #carryInto(word: number, value: number): void {
    const words = this.#ipv6;
    while (value > 0) {
      const sum = words[word]! + value;
      words[word++] = sum;
      value = sum >= 2 ** 32 ? 1 : 0;
    }
  }
}
