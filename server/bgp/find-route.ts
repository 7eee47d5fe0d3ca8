import { formatAddress, IPV4_DEPTH, type Address } from '../../pipeline/net/address.js';
import { formatPrefix, parsePrefix, type Prefix } from '../../pipeline/net/prefix.js';
import type { RouteRecord } from '../release/records.js';
import type { Snapshot } from '../release/snapshot.js';

/**
 * Parses `address/length`. Masks host bits and converts an IPv4-mapped prefix (RFC 4291 §2.5.5.2) to IPv4. Returns
 * undefined for other text, including an address without a length.
 */
export function parseCidr(text: string): Prefix | undefined {
  const prefix = text.includes('/') ? parsePrefix(text) : undefined;
  return prefix && (isMapped(prefix) ? unmapped(prefix) : prefix);
}

/** Returns the route of exactly this prefix, found among the routes that cover its first address. */
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

function unmapped({ address, length }: Prefix): Prefix {
  const ipv4: Address = Uint32Array.of(0, 0, 0, address[3]!);
  return { address: ipv4, length, family: 4 };
}
