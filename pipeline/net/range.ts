import { ADDRESS_BITS, commonBits, compareAddresses, newAddress, type Address } from './address.js';
import { lastAddressInto } from './prefix.js';

/** Splits ranges into prefixes with buffers of its own, for whoever splits one per row. */
export class RangeSplitter {
  readonly #first = newAddress();
  readonly #last = newAddress();

  /**
   * Calls `visit` with the fewest prefixes that cover exactly `start`..`end` (both inclusive, `start` <= `end`), in
   * address order. The address handed over is reused: copy it to keep it, and split nothing else meanwhile.
   */
  split(start: Address, end: Address, visit: (address: Address, length: number) => void): void {
    const first = this.#first;
    const last = this.#last;
    first.set(start);
    for (;;) {
      let length = Math.max(ADDRESS_BITS - trailingZeros(first), commonBits(first, end));
      lastAddressInto(first, length, last);
      while (compareAddresses(last, end) > 0) lastAddressInto(first, ++length, last);
      visit(first, length);
      if (compareAddresses(last, end) === 0) return;
      increment(last);
      first.set(last);
    }
  }
}

/** The same for one range. */
export function splitRange(
  start: Address,
  end: Address,
  visit: (address: Address, length: number) => void,
): void {
  new RangeSplitter().split(start, end, visit);
}

/** The prefixes of a range as a list of copies. */
export function rangeToPrefixes(start: Address, end: Address): { address: Address; length: number }[] {
  const prefixes: { address: Address; length: number }[] = [];
  splitRange(start, end, (address, length) => prefixes.push({ address: address.slice(), length }));
  return prefixes;
}

/** Adds 1, wrapping at the end of the space. */
export function increment(address: Address): void {
  for (let word = 3; word >= 0; word--) {
    address[word] = (address[word]! + 1) >>> 0;
    if (address[word] !== 0) return;
  }
}

function trailingZeros(address: Address): number {
  for (let word = 3; word >= 0; word--) {
    const value = address[word]!;
    if (value !== 0) return (3 - word) * 32 + 31 - Math.clz32(value & -value);
  }
  return ADDRESS_BITS;
}
