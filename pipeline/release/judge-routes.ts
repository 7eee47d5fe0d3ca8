import type { Manifest } from './contract.js';
import { compareFigures, range, type Bounds, type CheckOutcome } from './figures.js';
import { COUNTERS } from './routing-counters.js';

/** Bounds of announced prefixes: the global routing table changes little in a night. */
export const PREFIX_BOUNDS: Bounds = { least: 0.97, most: 1.03 };
/** Bounds of vantage points: a collector may be missing for a night, several may not. More are always accepted. */
export const VANTAGE_POINT_BOUNDS: Bounds = { least: 0.8, most: Infinity };

/** The bounds of the gate as text. */
export const ROUTE_BOUNDS =
  `prefixes of each family ${range(PREFIX_BOUNDS)}, vantage points ${range(VANTAGE_POINT_BOUNDS)} of the last ` +
  'release; no upper bound with a new collector';

/** Returns the counters of the routing dataset; absent when it has no routing table. */
export function routingCounters(datasets: Manifest['datasets']): Counters | undefined {
  const routing = datasets?.routing;
  return routing?.files.includes('routes.mmdb') === true ? routing.counters : undefined;
}

type Counters = Readonly<Record<string, number>>;

/** Compares the figures of a routing table with those of the last release. Passes when the last one had no table. */
export function judgeRoutes({
  now,
  before,
  hasNewCollector,
}: {
  readonly now: Counters;
  readonly before: Counters | undefined;
  /** Whether the release has a collector that the last one did not have. */
  readonly hasNewCollector: boolean;
}): CheckOutcome[] {
  if (!before) return [{ passed: true, found: 'the last release has no routing table' }];
  const prefixes = hasNewCollector ? { ...PREFIX_BOUNDS, most: Infinity } : PREFIX_BOUNDS;
  const figures = [
    ['IPv4 prefixes', COUNTERS.ipv4Prefixes, prefixes],
    ['IPv6 prefixes', COUNTERS.ipv6Prefixes, prefixes],
    ['vantage points', COUNTERS.vantagePoints, VANTAGE_POINT_BOUNDS],
  ] as const;
  return figures.map(([name, counter, bounds]) =>
    compareFigures({ name, now: now[counter] ?? 0, added: 0, before: before[counter] ?? 0, bounds }),
  );
}
