import type { Manifest } from '../release/contract.js';
import { ispCounters } from '../release/judge-proxies.js';
import {
  CLOUD_PROVIDERS,
  DROPPED_LISTINGS,
  figuresUnder,
  PROXY_TYPES,
  ISP_COUNTERS,
} from '../release/isp-counters.js';
import { grouped } from '../text/figure-text.js';

/** Returns the build summary of proxies and clouds; no lines when no lists were read. */
export function describeProxies({ datasets }: Pick<Manifest, 'datasets'>): string[] {
  const counters = ispCounters(datasets);
  if (!counters) return [];
  const count = (name: keyof typeof ISP_COUNTERS): string => grouped(counters[ISP_COUNTERS[name]] ?? 0);
  const types = describeLargest(figuresUnder(counters, PROXY_TYPES, 'networks'));
  const clouds = describeLargest(figuresUnder(counters, CLOUD_PROVIDERS, 'ipv4Addresses'));
  return [
    `proxies: ${count('proxyNetworks')} networks, ${count('proxyIpv4')} IPv4 addresses and ${count('proxyIpv6')} IPv6 /64s`,
    `  networks by type: ${types}`,
    `clouds: ${count('cloudNetworks')} networks, ${count('cloudIpv4')} IPv4 addresses and ${count('cloudIpv6')} IPv6 /64s`,
    `  IPv4 addresses by cloud: ${clouds}`,
    `  networks with dropped listings: ${describeLargest(droppedIn(counters))}`,
  ];
}

/** Sums the dropped listings of all lists by reason. */
function droppedIn(counters: Readonly<Record<string, number>>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of Object.entries(counters)) {
    const reason = DROPPED_LISTINGS.exec(name)?.[1];
    if (reason !== undefined) sums.set(reason, (sums.get(reason) ?? 0) + count);
  }
  return sums;
}

const MOST_SHOWN = 12;

/** The figures in descending order: `VPN 10,862, TOR 1,301`. */
function describeLargest(figures: ReadonlyMap<string, number>): string {
  const sorted = [...figures].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const shown = sorted.slice(0, MOST_SHOWN).map(([name, count]) => `${name} ${grouped(count)}`);
  const more = sorted.length > MOST_SHOWN ? [`and ${sorted.length - MOST_SHOWN} more`] : [];
  return shown.length === 0 ? 'none' : [...shown, ...more].join(', ');
}
