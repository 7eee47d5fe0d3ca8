import type { Manifest } from '../release/contract.js';
import { routingCounters } from '../release/judge-routes.js';
import { OBSERVERS } from '../registry/observed-ases.js';
import {
  ANNOUNCED_ADDRESSES,
  COUNTERS,
  DROPPED_PATHS,
  DROPPED_ROUTES,
  INFERRED_LINKS,
} from '../release/routing-counters.js';
import { grouped } from '../text/figure-text.js';

/** Returns the build summary of the routing table and of the ASes of addresses; no lines when the release has none. */
export function describeRouting({ datasets }: Pick<Manifest, 'datasets'>): string[] {
  return [...describeTable(routingCounters(datasets)), ...describeAses(datasets?.routing?.counters ?? {})];
}

function describeTable(counters: Counters | undefined): string[] {
  if (!counters) return [];
  const count = (name: keyof typeof COUNTERS): string => grouped(counters[COUNTERS[name]] ?? 0);
  const collectors = count('collectors');
  const providers = `${count('providerLinks')} provider to customer, ${count('peerLinks')} peer to peer`;
  return [
    `routing table: ${collectors === '1' ? '1 collector' : `${collectors} collectors`}, ${count('peers')} peers in ${count('vantagePoints')} ASes, ` +
      `${count('entries')} entries with ${count('paths')} paths`,
    `  prefixes: ${count('ipv4Prefixes')} IPv4 and ${count('ipv6Prefixes')} IPv6 from ${count('originAses')} ASes; ` +
      `${count('moas')} with several origins, ${count('withoutOrigin')} without a known origin`,
    `  links: ${providers}, ${count('uncertainLinks')} uncertain; ${describeMethods(counters)}`,
    describeRpki(counters),
    `  prefixes dropped: ${describeDrops(counters, DROPPED_ROUTES)}`,
    `  paths not used for links: ${describeDrops(counters, DROPPED_PATHS)}`,
  ];
}

/** The IPv4 addresses with an AS, by the source of the AS. */
function describeAses(counters: Counters): string[] {
  const sources = ['routes', ...OBSERVERS].flatMap((source) => {
    const count = counters[`${ANNOUNCED_ADDRESSES}${source}.ipv4Addresses`];
    return count === undefined ? [] : [`${source} ${grouped(count)}`];
  });
  return sources.length === 0 ? [] : [`ASes of IPv4 addresses: ${sources.join(', ')}`];
}

type Counters = Readonly<Record<string, number>>;

/** The inference method per family: `ipv4 by as-rank, ipv6 by gao`. A family without links is left out. */
function describeMethods(counters: Counters): string {
  const methods = Object.entries(counters).flatMap(([name, links]) => {
    if (!name.startsWith(INFERRED_LINKS) || links === 0) return [];
    const [family, method] = name.slice(INFERRED_LINKS.length).split('.');
    return method === undefined ? [] : [`${family} by ${method}`];
  });
  return methods.join(', ');
}

/** The shares of RPKI states among the validated prefixes. */
function describeRpki(counters: Counters): string {
  const vrps = counters[COUNTERS.vrps];
  if (vrps === undefined) return '  RPKI: no VRPs';
  const states = { valid: COUNTERS.rpkiValid, invalid: COUNTERS.rpkiInvalid, unknown: COUNTERS.rpkiUnknown };
  const counts = Object.entries(states).map(([state, name]) => [state, counters[name] ?? 0] as const);
  const validated = counts.reduce((sum, [, count]) => sum + count, 0);
  const shares = counts.map(
    ([state, count]) => `${state} ${((100 * count) / Math.max(validated, 1)).toFixed(1)} %`,
  );
  return `  RPKI: ${shares.join(', ')} by ${grouped(vrps)} VRPs`;
}

/** The counts by reason, such as `too long 30, visibility 7`, in descending order. */
function describeDrops(counters: Counters, prefix: string): string {
  const drops = Object.entries(counters)
    .filter(([name, count]) => name.startsWith(prefix) && count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${inWords(name.slice(prefix.length))} ${grouped(count)}`);
  return drops.length === 0 ? 'none' : drops.join(', ');
}

/** Splits a name into words: `reservedOrigin` becomes `reserved origin`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
