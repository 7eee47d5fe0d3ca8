import { ADDRESS_BITS, IPV4_DEPTH, isInIpv4Space } from '../net/address.js';
import { Sums } from './sums.js';
import type { Block } from './subtree.js';

/** Whether a prefix contains IPv4 space (::/96) or lies in it. */
export function isAlongIpv4({ address, length }: Block): boolean {
  return length >= IPV4_DEPTH ? isInIpv4Space(address) : address.every((word) => word === 0);
}

/** Counts IPv4 addresses by number during a walk in address order that begins along the IPv4 space. */
export class Ipv4Space {
  readonly #addresses = new Sums();
  #isOver = false;

  /** Ends the count: the rest of the walk is behind the IPv4 space. */
  end(): void {
    this.#isOver = true;
  }

  /** Adds a network of `length` bits in the 128-bit space. One that contains ::/96 has all IPv4 addresses. */
  add(number: number, length: number): void {
    if (!this.#isOver) this.#addresses.add(number, SIZES[length]!);
  }

  /** Returns the addresses of a number. */
  at(number: number): number {
    return this.#addresses.at(number);
  }
}

/** The IPv4 addresses of a network by its length in the 128-bit space. */
const SIZES = Float64Array.from({ length: ADDRESS_BITS + 1 }, (_, length) => {
  return 2 ** (ADDRESS_BITS - Math.max(length, IPV4_DEPTH));
});
