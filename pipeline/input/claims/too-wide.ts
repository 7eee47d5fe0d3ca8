import { familyOf, IPV4_DEPTH, isIpv4Mapped, type Address } from '../../net/address.js';
import type { Prefix } from '../../net/prefix.js';

/** Whether a prefix is wider than any single operator's: shorter than /8 in IPv4, than /16 in IPv6. */
export function isTooWide({ address, length, family }: Prefix): boolean {
  return length < leastBits(address, length, family);
}

/** Returns the minimum prefix length of an operator's network, in bits of the 128-bit space. IPv4-mapped prefixes count as IPv4. */
export function leastBits(address: Address, length: number, family = familyOf(address)): number {
  return family === 4 || (length >= IPV4_DEPTH && isIpv4Mapped(address)) ? IPV4_DEPTH + 8 : 16;
}
