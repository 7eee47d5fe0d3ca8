import assert from 'node:assert';
import { ADDRESS_BITS, IPV4_DEPTH, type Address, type Family } from '../net/address.js';
import { prefixFamily } from '../net/prefix.js';

/**
 * Counts the addresses of disjoint networks, without an allocation per network. IPv6 is counted in single addresses,
 * so networks longer than /64 add up exactly and are rounded once, when the figure is read.
 */
export class AddressCount {
  #ipv4 = 0;
  /**
   * IPv6 addresses as one integer of five 32-bit words, the least significant first: disjoint networks
   * never exceed 2^128.
   */
  readonly #ipv6 = new Uint32Array(5);

  /** IPv4 addresses; exact. */
  get ipv4Addresses(): number {
    return this.#ipv4;
  }

  /**
   * IPv6 in /64 networks, rounded down. Exact to 2^53 (a /11 of addresses), above that the nearest number there is:
   * what the registries have delegated so far is below it.
   */
  get ipv6Slash64s(): number {
    const words = this.#ipv6;
    return words[2]! + words[3]! * 2 ** 32 + words[4]! * 2 ** 64;
  }

  /** Adds a network of `length` bits (128-bit space, so 96..128 for IPv4). */
  add(length: number, family: Family): void {
    const bits = ADDRESS_BITS - length;
    if (family === 6) {
      this.#carryInto(bits >>> 5, 2 ** (bits & 31));
      return;
    }
    assert(length >= IPV4_DEPTH, 'an IPv4 network has at least 96 bits');
    this.#ipv4 += 2 ** bits;
  }

  /** Adds a network of a table. One that is wider than ::/96 and holds it counts in both families. */
  addNetwork(address: Address, length: number): void {
    if (length >= IPV4_DEPTH || !holdsIpv4(address)) {
      this.add(length, prefixFamily(address, length));
      return;
    }
    for (let rest = length + 1; rest <= IPV4_DEPTH; rest++) this.add(rest, 6);
    this.add(IPV4_DEPTH, 4);
  }

  /** Adds all that another count holds. */
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

function holdsIpv4(address: Address): boolean {
  return address[0] === 0 && address[1] === 0 && address[2] === 0;
}
