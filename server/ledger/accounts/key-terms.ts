import { BlockList } from 'node:net';
import { formatPrefix, parsePrefix } from '../../../pipeline/net/prefix.js';
import type { Calendar } from '../calendar.js';
import { AccountError, type KeyTerms, type TypedTerms } from './account.js';

const MOST_NETWORKS = 100;
const LONGEST_DAYS = 3650;
const DAY_MS = 86_400_000;

/** Parses terms. What is not typed stays as in `old`. Throws AccountError. */
export function parseTerms(
  { expires, networks }: TypedTerms,
  calendar: Calendar,
  old: KeyTerms = {},
): KeyTerms {
  return {
    expires: expires === undefined ? old.expires : parseExpiry(expires, calendar),
    networks: networks === undefined ? old.networks : parseNetworks(networks),
  };
}

/** Returns a function that reports whether an address is in one of some networks. */
export function networkMatcher(networks: readonly string[]): (client: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const slash = network.indexOf('/');
    const address = network.slice(0, slash);
    list.addSubnet(address, Number(network.slice(slash + 1)), typeOf(address));
  }
  return (client) => list.check(client, typeOf(client));
}

function typeOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

function parseExpiry(text: string, calendar: Calendar): string | undefined {
  if (text === 'never') return undefined;
  const now = calendar.now();
  const days = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : NaN;
  const endMs = Number.isNaN(days) ? calendar.endOf(text) : now + days * DAY_MS;
  if (endMs === undefined || endMs <= now || endMs > now + LONGEST_DAYS * DAY_MS)
    throw new AccountError(
      `invalid expiry "${text}": expected a last day such as 2027-01-31 within ${LONGEST_DAYS} days, a number of days such as 90, or never`,
    );
  return new Date(endMs).toISOString();
}

function parseNetworks(text: string): readonly string[] | undefined {
  if (text.trim() === 'any') return undefined;
  const networks = text.split(',').map((network) => {
    const prefix = parsePrefix(network.trim());
    if (prefix === undefined)
      throw new AccountError(
        `invalid network "${network.trim()}": expected an address, a CIDR block such as 192.0.2.0/24 or 2001:db8::/32, or any`,
      );
    return formatPrefix(prefix.address, prefix.length, prefix.family);
  });
  if (networks.length > MOST_NETWORKS)
    throw new AccountError(`${networks.length} networks: expected at most ${MOST_NETWORKS}`);
  return networks;
}
