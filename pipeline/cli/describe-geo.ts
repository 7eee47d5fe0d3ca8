import type { Manifest } from '../release/contract.js';
import { DROPPED_CLAIMS, GEO_COUNTERS } from '../release/geo-counters.js';
import { grouped } from '../text/figure-text.js';

/** Returns the build summary of space that registries list as available or reserved; no lines when they list none. */
export function describeFreeSpace({ datasets }: Pick<Manifest, 'datasets'>): string[] {
  const counters = datasets?.geo?.counters ?? {};
  if (!(GEO_COUNTERS.freeIpv4 in counters)) return [];
  const count = (name: keyof typeof GEO_COUNTERS): string => grouped(counters[GEO_COUNTERS[name]] ?? 0);
  const dropped = Object.entries(counters)
    .filter(([name]) => name.startsWith(DROPPED_CLAIMS))
    .sort(([, a], [, b]) => b - a)
    .map(([name, networks]) => `${name.slice(DROPPED_CLAIMS.length)} ${grouped(networks)}`);
  return [
    `available or reserved space: ${count('freeIpv4')} IPv4 addresses and ${count('freeIpv6')} IPv6 /64s without a country, ` +
      `${count('usedIpv4')} and ${count('usedIpv6')} in use`,
    `  networks with dropped claims: ${dropped.length === 0 ? 'none' : dropped.join(', ')}`,
  ];
}
