import { grouped } from '../release/columns.js';
import type { Manifest } from '../release/contract.js';
import { serviceCounters } from '../release/judge-proxies.js';
import {
  CLOUD_PROVIDERS,
  DROPPED_HITS,
  figuresUnder,
  PROXY_TYPES,
  SERVICE_COUNTERS,
} from '../release/service-counters.js';

/** What hides somebody, and what is in a cloud, for the person who built it; none where no lists were read. */
export function describeServices({ datasets }: Pick<Manifest, 'datasets'>): string[] {
  const counters = serviceCounters(datasets);
  if (!counters) return [];
  const count = (name: keyof typeof SERVICE_COUNTERS): string =>
    grouped(counters[SERVICE_COUNTERS[name]] ?? 0);
  const types = describeLargest(figuresUnder(counters, PROXY_TYPES, 'networks'));
  const clouds = describeLargest(figuresUnder(counters, CLOUD_PROVIDERS, 'ipv4Addresses'));
  return [
    `proxies: ${count('proxyNetworks')} networks, ${count('proxyIpv4')} IPv4 addresses and ${count('proxyIpv6')} IPv6 /64s`,
    `  networks by type: ${types}`,
    `clouds: ${count('cloudNetworks')} networks, ${count('cloudIpv4')} IPv4 addresses and ${count('cloudIpv6')} IPv6 /64s`,
    `  IPv4 addresses by cloud: ${clouds}`,
    `  networks in which a list's word did not count: ${describeLargest(droppedIn(counters))}`,
  ];
}

/** By reason, of all lists together. */
function droppedIn(counters: Readonly<Record<string, number>>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of Object.entries(counters)) {
    const reason = DROPPED_HITS.exec(name)?.[1];
    if (reason !== undefined) sums.set(reason, (sums.get(reason) ?? 0) + count);
  }
  return sums;
}

const MOST_SHOWN = 12;

/** `VPN 10,862, TOR 1,301`, the largest first. */
function describeLargest(figures: ReadonlyMap<string, number>): string {
  const sorted = [...figures].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const shown = sorted.slice(0, MOST_SHOWN).map(([name, count]) => `${name} ${grouped(count)}`);
  const more = sorted.length > MOST_SHOWN ? [`and ${sorted.length - MOST_SHOWN} more`] : [];
  return shown.length === 0 ? 'none' : [...shown, ...more].join(', ');
}
