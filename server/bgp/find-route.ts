import { formatAddress, IPV4_DEPTH, type Address } from '../../pipeline/net/address.js';
import { formatPrefix, parsePrefix, type Prefix } from '../../pipeline/net/prefix.js';
import type { RouteRecord } from '../release/records.js';
import type { Snapshot } from '../release/snapshot.js';

/**
 * Reads `address/length`; host bits are masked, an IPv4 prefix that is mapped into IPv6 (RFC 4291 §2.5.5.2) is
 * unwrapped. Absent for anything else, a bare address too.
 */
export function parseCidr(text: string): Prefix | undefined {
  const prefix = text.includes('/') ? parsePrefix(text) : undefined;
  return prefix && (isMapped(prefix) ? unwrapped(prefix) : prefix);
}

/** The route of exactly this prefix: in the chain of those that cover its first address. */
export function findRoute(
  { routes }: Snapshot,
  { address, length, family }: Prefix,
): RouteRecord | undefined {
  const wanted = formatPrefix(address, length, family);
  let route: Partial<RouteRecord> | undefined = routes.get(formatAddress(address, family));
  while (route && route.prefix !== wanted) route = route.parent;
  return route as RouteRecord | undefined;
}

const MAPPED = 0xffff;

function isMapped({ address, length, family }: Prefix): boolean {
  return (
    family === 6 && length >= IPV4_DEPTH && address[2] === MAPPED && address[0] === 0 && address[1] === 0
  );
}

function unwrapped({ address, length }: Prefix): Prefix {
  const ipv4: Address = Uint32Array.of(0, 0, 0, address[3]!);
  return { address: ipv4, length, family: 4 };
}
