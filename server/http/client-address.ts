import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import { formatAddress, parseAddress } from '../../pipeline/net/address.js';

/** Returns the caller's address (decision 14); undefined when the socket is already closed. */
export type ClientAddress = (req: IncomingMessage) => string | undefined;

/**
 * Returns the function that finds the caller's address: that of the socket, or behind trusted proxies (CIDR blocks) the
 * rightmost untrusted hop of X-Forwarded-For. An entry that is not an address ends the search, and the socket's address
 * is used. The result passes `net.isIP`: IPv4 if it was mapped, RFC 5952 form, without a zone.
 */
export function clientAddressOf(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return (req) => unmapped(req.socket.remoteAddress);
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  // proxy-addr passes any text from the header, and `isTrusted` throws unless it is an address.
  const trusts = (hop: string, depth: number): boolean =>
    isIP(withoutPort(hop)) !== 0 && isTrusted(bare(hop), depth);
  return (req) => {
    if (req.headers['x-forwarded-for'] === undefined) return unmapped(req.socket.remoteAddress);
    return canonical(bare(proxyAddr(req, trusts))) ?? unmapped(req.socket.remoteAddress);
  };
}

/** Returns whether an address, as `unmapped` returns it, is in one of the CIDR blocks. */
export function proxyMatcher(trustedProxies: readonly string[]): (address: string) => boolean {
  if (trustedProxies.length === 0) return () => false;
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (address) => isTrusted(address, 0);
}

/** Unmaps an address as Node prints it: in canonical form, link-local ones with a zone (`fe80::1%eth0`). */
export function unmapped(address: string | undefined): string | undefined {
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

/** Removes a port: some proxies write `192.0.2.1:443`, `[2001:db8::1]:443` or `[2001:db8::1]`. */
function withoutPort(hop: string): string {
  const port = /^\[([^\]]*)\](?::\d{1,5})?$|^([^:]*):\d{1,5}$/.exec(hop);
  return port ? (port[1] ?? port[2] ?? hop) : hop;
}
