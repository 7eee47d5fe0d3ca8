import { compareAddresses, familyOf, newAddress, type Address, type Family } from '../net/address.js';
import { lastAddressInto } from '../net/prefix.js';
import { increment, RangeSplitter } from '../net/range.js';
import type { Networks } from './networks.js';

/** Receives a prefix and its value. `address` is reused: copy it to keep it. */
export type PrefixVisitor = (address: Address, length: number, value: string) => void;

/**
 * Joins neighbouring networks of equal value to the fewest prefixes, in address order. Networks without a value are left
 * out. Prefixes never span IPv4 and IPv6.
 */
export function joinPrefixes(
  networks: Networks,
  valueOf: (offset: number) => string | undefined,
  visit: PrefixVisitor,
): void {
  const splitter = new RangeSplitter();
  const [start, end, expected] = [newAddress(), newAddress(), newAddress()];
  let value: string | undefined;
  let family: Family = 4;
  const flush = (): void => {
    const held = value;
    if (held === undefined) return;
    splitter.split(start, end, (address, length) => {
      visit(address, length, held);
    });
  };
  while (networks.next()) {
    const { address, length, offset } = networks;
    const next = valueOf(offset);
    const isNext = compareAddresses(address, expected) === 0 && familyOf(address) === family;
    if (next === undefined || next !== value || !isNext) {
      flush();
      value = next;
      start.set(address);
      family = familyOf(address);
    }
    lastAddressInto(address, length, end);
    expected.set(end);
    increment(expected);
  }
  flush();
}
