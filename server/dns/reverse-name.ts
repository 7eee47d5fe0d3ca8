import assert from 'node:assert';
import { isIP } from 'node:net';
import { parseAddress } from '../../pipeline/net/address.js';

/**
 * The name under which an address has its PTR records: `4.3.2.1.in-addr.arpa` (RFC 1035 §3.5), 32 nibbles and
 * `ip6.arpa` (RFC 3596 §2.5). Asserts that the text is an address without a zone.
 */
export function reverseNameOf(ip: string): string {
  if (isIP(ip) === 4) return `${ip.split('.').reverse().join('.')}.in-addr.arpa`;
  const parsed = parseAddress(ip);
  assert(parsed, ip);
  const digits = Array.from(parsed.address, (word) => word.toString(16).padStart(8, '0')).join('');
  return `${[...digits].reverse().join('.')}.ip6.arpa`;
}
