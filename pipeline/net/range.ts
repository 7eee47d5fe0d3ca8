import { ADDRESS_BITS, commonBits, compareAddresses, newAddress, type Address } from './address.js';
import { lastAddressInto } from './prefix.js';

/** Splits ranges into prefixes without an allocation per range. */
export class RangeSplitter {
  readonly #first = newAddress();
  readonly #last = newAddress();

  /**
   * Calls `visit` with the fewest prefixes that cover exactly `start`..`end` (both inclusive, `start` <= `end`), in
   * address order. The address passed to `visit` is reused: copy it to keep it, and do not call `split` from `visit`.
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

/** Splits one range; see RangeSplitter. */
export function splitRange(
  start: Address,
  end: Address,
  visit: (address: Address, length: number) => void,
): void {
  new RangeSplitter().split(start, end, visit);
}

/** Returns the fewest prefixes that cover a range, in address order. */
export function rangeToPrefixes(start: Address, end: Address): { address: Address; length: number }[] {
  const prefixes: { address: Address; length: number }[] = [];
  splitRange(start, end, (address, length) => prefixes.push({ address: address.slice(), length }));
  return prefixes;
}

/** Adds 1 to an address in place. The last address becomes the first. */
export function increment(address: Address): void {
  for (let word = 3; word >= 0; word--) {
    address[word] = (address[word]! + 1) >>> 0;
    if (address[word] !== 0) return;
  }
}

/** Subtracts 1 from an address in place. The first address becomes the last. */
export function decrement(address: Address): void {
  for (let word = 3; word >= 0; word--) {
    const before = address[word]!;
    address[word] = (before - 1) >>> 0;
    if (before !== 0) return;
  }
}

function trailingZeros(address: Address): number {
  for (let word = 3; word >= 0; word--) {
    const value = address[word]!;
    if (value !== 0) return (3 - word) * 32 + 31 - Math.clz32(value & -value);
  }
  return ADDRESS_BITS;
}
