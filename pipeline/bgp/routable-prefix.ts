import { IPV4_DEPTH, type Family } from '../net/address.js';
import type { Rib } from './rib.js';

/**
 * The longest prefixes that networks accept from others: /24 and /48 (RFC 7454 §6.1.3), in bits of the 128-bit space.
 */
export const LONGEST_ROUTE: Readonly<Record<Family, number>> = { 4: IPV4_DEPTH + 24, 6: 48 };

/** Returns the family of a prefix of a RIB, in which ::/96 contains only IPv4. */
export function familyOfPrefix({ addresses, lengths }: Rib['prefixes'], prefix: number): Family {
  const at = 4 * prefix;
  const isIpv4 =
    lengths[prefix]! >= IPV4_DEPTH && (addresses[at]! | addresses[at + 1]! | addresses[at + 2]!) === 0;
  return isIpv4 ? 4 : 6;
}
