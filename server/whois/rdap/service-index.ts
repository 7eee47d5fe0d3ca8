import { commonBits, parseAddress, type Family } from '../../../pipeline/net/address.js';
import { parsePrefix } from '../../../pipeline/net/prefix.js';
import type { RdapService } from '../../../pipeline/net/rdap-bootstrap.js';
import { parseBaseUrl } from './server-urls.js';

/** Returns the servers of one bootstrap file for a query. Absent if none is listed. */
export type FindServers<Query> = (query: Query) => readonly URL[] | undefined;

/** A prefix to look up. A single address has the full length of its family. */
export interface QueriedPrefix {
  readonly ip: string;
  readonly version: Family;
  /** The length as written: 24 for 192.0.2.0/24. */
  readonly length: number;
}

/**
 * Indexes domains (RFC 9224 §4). A lookup returns the entry with the most labels among the name and its parents. Names
 * are A-labels in lower case.
 */
export function indexDomains(services: readonly RdapService[], allowPorts: boolean): FindServers<string> {
  const byName = new Map<string, URL[]>();
  for (const { key, urls } of entriesOf(services, allowPorts)) {
    const name = key.toLowerCase();
    if (DOMAIN.test(name)) byName.set(name, [...(byName.get(name) ?? []), ...urls]);
  }
  const servers = inOrderOfPreference(byName);
  return (asked) => {
    for (let name = asked; ; name = name.slice(name.indexOf('.') + 1)) {
      const urls = servers.get(name);
      if (urls !== undefined || !name.includes('.')) return urls;
    }
  };
}

/** Indexes prefixes (RFC 9224 §5.1, §5.2). A lookup returns the longest prefix that contains the whole query. */
export function indexPrefixes(
  services: readonly RdapService[],
  allowPorts: boolean,
): FindServers<QueriedPrefix> {
  const rows = entriesOf(services, allowPorts)
    .flatMap(({ key, urls }) => {
      const prefix = key.includes('/') ? parsePrefix(key) : undefined;
      return prefix ? [{ prefix, urls: httpsFirst(urls) }] : [];
    })
    .sort((a, b) => b.prefix.length - a.prefix.length);
  return ({ ip, version, length }) => {
    const asked = parsePrefix(`${ip}/${length}`);
    if (!asked || parseAddress(ip)?.family !== version) return undefined;
    return rows.find(
      ({ prefix }) =>
        prefix.family === version &&
        prefix.length <= asked.length &&
        commonBits(prefix.address, asked.address) >= prefix.length,
    )?.urls;
  };
}

/** Indexes ranges of AS numbers (RFC 9224 §5.3), which do not overlap. */
export function indexAsns(services: readonly RdapService[], allowPorts: boolean): FindServers<number> {
  const rows = entriesOf(services, allowPorts).flatMap(({ key, urls }) => {
    const [, first, last = first] = ASN_RANGE.exec(key) ?? [];
    return first === undefined ? [] : [{ first: Number(first), last: Number(last), urls: httpsFirst(urls) }];
  });
  return (asn) => rows.find(({ first, last }) => first <= asn && asn <= last)?.urls;
}

const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,10}$/;
const ASN_RANGE = /^(\d{1,10})(?:-(\d{1,10}))?$/;

interface Entry {
  readonly key: string;
  readonly urls: readonly URL[];
}

/** Returns one entry per key with its valid URLs. Omits services without a valid URL. */
function entriesOf(services: readonly RdapService[], allowPorts: boolean): Entry[] {
  return services.flatMap(({ keys, urls: texts }) => {
    const urls = texts.flatMap((text) => parseBaseUrl(text, allowPorts) ?? []);
    return urls.length === 0 ? [] : keys.map((key) => ({ key, urls }));
  });
}

function inOrderOfPreference(
  byName: ReadonlyMap<string, readonly URL[]>,
): ReadonlyMap<string, readonly URL[]> {
  return new Map([...byName].map(([name, urls]) => [name, httpsFirst(urls)]));
}

/** Moves HTTPS URLs to the front (RFC 9224 §8). */
function httpsFirst(urls: readonly URL[]): readonly URL[] {
  const secure = urls.filter(({ protocol }) => protocol === 'https:');
  return [...secure, ...urls.filter((url) => !secure.includes(url))];
}
