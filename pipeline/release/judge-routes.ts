import type { Manifest } from './contract.js';
import { compareFigures, range, type Bounds, type CheckOutcome } from './figures.js';
import { COUNTERS } from './routing-counters.js';

/** Networks of the global routing table come and go by few in a night. */
export const PREFIX_BOUNDS: Bounds = { least: 0.97, most: 1.03 };
/** A collector may be gone for a night; more of them, and what is seen is another table. More are always welcome. */
export const VANTAGE_POINT_BOUNDS: Bounds = { least: 0.8, most: Infinity };

/** What a routing table is held against, in words. */
export const ROUTE_BOUNDS =
  `prefixes of each family ${range(PREFIX_BOUNDS)}, vantage points ${range(VANTAGE_POINT_BOUNDS)} of the last ` +
  "release's; no upper bound with a new collector";

/** Counters of the routing dataset; absent where it has no files. */
export function routingCounters(datasets: Manifest['datasets']): Counters | undefined {
  const routing = datasets?.routing;
  return routing && routing.files.length > 0 ? routing.counters : undefined;
}

type Counters = Readonly<Record<string, number>>;

/** Holds the figures of a routing table against those of the last release; one that is new against nothing. */
export function judgeRoutes({
  now,
  before,
  hasNewCollector,
}: {
  readonly now: Counters;
  readonly before: Counters | undefined;
  /** Whether a collector was read that the last release did not have. */
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
