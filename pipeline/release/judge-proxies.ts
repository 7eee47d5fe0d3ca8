import type { Manifest } from './contract.js';
import { compareFigures, range, type Bounds, type CheckOutcome } from './figures.js';
import { figuresUnder, PROXY_TYPES, SERVICE_COUNTERS } from './service-counters.js';

/** Space that hides somebody: twice as much in a night is a list that went wrong, half as much one that was lost. */
const PROXY_BOUNDS: Bounds = { least: 0.5, most: 2 };
/** A type by itself: open proxies come and go. */
const TYPE_BOUNDS: Bounds = { least: 0.2, most: 5 };
/** IPv4 addresses of a type below which it is not held against anything by itself. */
const LEAST_OF_TYPE = 1_000;

/** What the proxies of a release are held against, in words. */
export const PROXY_BOUNDS_TOLD =
  `IPv4 addresses and networks of proxies ${range(PROXY_BOUNDS)}, addresses of each type that had ${LEAST_OF_TYPE} ` +
  `${range(TYPE_BOUNDS)} of the last release's; no upper bound with a new list`;

/** Counters of the ISP dataset; absent where it has no files. */
export function serviceCounters(datasets: Manifest['datasets']): Counters | undefined {
  const isp = datasets?.isp;
  return isp && isp.files.length > 0 ? isp.counters : undefined;
}

type Counters = Readonly<Record<string, number>>;

/** Holds the proxies of a release against those of the last one. */
export function judgeProxies({
  now,
  before,
  hasNewList,
}: {
  readonly now: Counters;
  readonly before: Counters | undefined;
  /** Whether a list, or a file of one, was read that the last release did not have. */
  readonly hasNewList: boolean;
}): CheckOutcome[] {
  if (!before) return [{ passed: true, found: 'the last release has no proxies' }];
  const bounded = (bounds: Bounds): Bounds => (hasNewList ? { ...bounds, most: Infinity } : bounds);
  const compare = (name: string, counts: readonly [now: number, before: number], bounds: Bounds) =>
    compareFigures({ name, now: counts[0], added: 0, before: counts[1], bounds: bounded(bounds) });
  const totals = [
    ['proxy addresses', SERVICE_COUNTERS.proxyIpv4],
    ['proxy networks', SERVICE_COUNTERS.proxyNetworks],
  ] as const;
  const [types, typesBefore] = [now, before].map((counters) =>
    figuresUnder(counters, PROXY_TYPES, 'ipv4Addresses'),
  ) as [Map<string, number>, Map<string, number>];
  const large = [...typesBefore].filter(([, count]) => count >= LEAST_OF_TYPE);
  return [
    ...totals.map(([name, counter]) =>
      compare(name, [now[counter] ?? 0, before[counter] ?? 0], PROXY_BOUNDS),
    ),
    ...large.map(([type, count]) => compare(`${type} addresses`, [types.get(type) ?? 0, count], TYPE_BOUNDS)),
  ];
}
