import assert from 'node:assert';
import { isIP } from 'node:net';
import { parseAddress } from '../../pipeline/net/address.js';
import { publicName } from '../targets/public-name.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { parseTargetAddress } from '../targets/target.js';

/**
 * Returns the name that holds an address's PTR records: `4.3.2.1.in-addr.arpa` (RFC 1035 §3.5), or 32 nibbles and
 * `ip6.arpa` (RFC 3596 §2.5). Asserts that the text is an address without a zone.
 */
export function reverseNameOf(ip: string): string {
  if (isIP(ip) === 4) return `${ip.split('.').reverse().join('.')}.in-addr.arpa`;
  const parsed = parseAddress(ip);
  assert(parsed, ip);
  const digits = Array.from(parsed.address, (word) => word.toString(16).padStart(8, '0')).join('');
  return `${Array.from(digits).reverse().join('.')}.ip6.arpa`;
}

/** Returns the name to query: the PTR name of an address, or the name itself. Absent unless it is in the public DNS. */
export function publicPointerName(text: string, reserved: ReservedSpace): string | undefined {
  const address = parseTargetAddress(text);
  return publicName(address === undefined ? text : reverseNameOf(address.ip), reserved);
}
