import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import { formatAddress, parseAddress } from '../../pipeline/net/address.js';

/** Finds who is asking (ruling 14). Absent for a socket that is gone already. */
export type ClientAddress = (req: IncomingMessage) => string | undefined;

/**
 * The socket's address, unless it is a trusted proxy's: then X-Forwarded-For is walked from the right past all trusted
 * hops. `trustedProxies` is a list of CIDR blocks. The answer is what `net.isIP` takes, IPv4 where it was mapped, RFC
 * 5952, without a zone. An entry that is no address ends the walk, and the socket's own address counts.
 */
export function clientAddressOf(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return (req) => unmapped(req.socket.remoteAddress);
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  // proxy-addr hands whatever stands in the header to the judge: only addresses may be judged.
  const judge = (hop: string, depth: number): boolean =>
    isIP(withoutPort(hop)) !== 0 && isTrusted(bare(hop), depth);
  return (req) => {
    if (req.headers['x-forwarded-for'] === undefined) return unmapped(req.socket.remoteAddress);
    return canonical(bare(proxyAddr(req, judge))) ?? unmapped(req.socket.remoteAddress);
  };
}

/** Whose bucket an address falls into: itself, or the /64 of an IPv6 address (ruling 2). */
export function sourceOf(client: string): string {
  if (!client.includes(':')) return client;
  const parsed = parseAddress(client);
  if (parsed === undefined) return client;
  parsed.address.fill(0, 2);
  return `${formatAddress(parsed.address, 6)}/64`;
}

/** Node prints addresses of sockets in their canonical form, those of the link with a zone: `fe80::1%eth0`. */
function unmapped(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (address.startsWith(MAPPED)) return address.slice(MAPPED.length);
  return address.startsWith(LINK_LOCAL) ? address.replace(/%.*$/, '') : address;
}

const MAPPED = '::ffff:';
const LINK_LOCAL = 'fe80:';

function canonical(text: string): string | undefined {
  const parsed = isIP(text) === 0 ? undefined : parseAddress(text);
  return parsed && unmapped(formatAddress(parsed.address, parsed.family));
}

function bare(hop: string): string {
  const address = withoutPort(hop);
  return isIP(address) === 6 ? (canonical(address) ?? address) : address;
}

/** `192.0.2.1:443`, `[2001:db8::1]:443` and `[2001:db8::1]` are written by some proxies. */
function withoutPort(hop: string): string {
  const port = /^\[([^\]]*)\](?::\d{1,5})?$|^([^:]*):\d{1,5}$/.exec(hop);
  return port ? (port[1] ?? port[2] ?? hop) : hop;
}
