import { grouped } from '../release/columns.js';
import type { Manifest } from '../release/contract.js';
import { routingCounters } from '../release/judge-routes.js';
import { COUNTERS, DROPPED_PATHS, DROPPED_ROUTES, INFERRED_LINKS } from '../release/routing-counters.js';

/** The routing table of a release in a few lines, for the person who built it; none where there is no table. */
export function describeRouting({ datasets }: Pick<Manifest, 'datasets'>): string[] {
  const counters = routingCounters(datasets);
  if (!counters) return [];
  const count = (name: keyof typeof COUNTERS): string => grouped(counters[COUNTERS[name]] ?? 0);
  const collectors = count('collectors');
  const providers = `${count('providerLinks')} provider to customer, ${count('peerLinks')} peer to peer`;
  return [
    `routing table: ${collectors === '1' ? '1 collector' : `${collectors} collectors`}, ${count('peers')} peers of ${count('vantagePoints')} ASes, ` +
      `${count('entries')} entries with ${count('paths')} paths`,
    `  prefixes: ${count('ipv4Prefixes')} IPv4 and ${count('ipv6Prefixes')} IPv6 of ${count('originAses')} ASes; ` +
      `${count('moas')} of several, ${count('withoutOrigin')} of none that can be told`,
    `  links: ${providers}, ${count('uncertainLinks')} of them uncertain; ${describeMethods(counters)}`,
    describeRpki(counters),
    `  prefixes left out: ${describeDrops(counters, DROPPED_ROUTES)}`,
    `  paths left out of the links: ${describeDrops(counters, DROPPED_PATHS)}`,
  ];
}

type Counters = Readonly<Record<string, number>>;

/** `ipv4 by as-rank, ipv6 by gao`; a family without links is left out. */
function describeMethods(counters: Counters): string {
  const methods = Object.entries(counters).flatMap(([name, links]) => {
    if (!name.startsWith(INFERRED_LINKS) || links === 0) return [];
    const [family, method] = name.slice(INFERRED_LINKS.length).split('.');
    return method === undefined ? [] : [`${family} by ${method}`];
  });
  return methods.join(', ');
}

/** Shares are of the prefixes that were judged. */
function describeRpki(counters: Counters): string {
  const vrps = counters[COUNTERS.vrps];
  if (vrps === undefined) return '  RPKI: nothing to judge by';
  const states = { valid: COUNTERS.rpkiValid, invalid: COUNTERS.rpkiInvalid, unknown: COUNTERS.rpkiUnknown };
  const counts = Object.entries(states).map(([state, name]) => [state, counters[name] ?? 0] as const);
  const judged = counts.reduce((sum, [, count]) => sum + count, 0);
  const shares = counts.map(
    ([state, count]) => `${state} ${((100 * count) / Math.max(judged, 1)).toFixed(1)} %`,
  );
  return `  RPKI: ${shares.join(', ')} by ${grouped(vrps)} payloads`;
}

/** `visibility 7, too-long 3`, the most frequent first. */
function describeDrops(counters: Counters, prefix: string): string {
  const drops = Object.entries(counters)
    .filter(([name, count]) => name.startsWith(prefix) && count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${inWords(name.slice(prefix.length))} ${grouped(count)}`);
  return drops.length === 0 ? 'none' : drops.join(', ');
}

/** `reservedOrigin` as `reserved origin`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
