import type { Manifest } from './contract.js';
import { compareFigures, range, type Bounds, type CheckOutcome } from './figures.js';
import { figuresUnder, PROXY_TYPES, ISP_COUNTERS } from './isp-counters.js';

/** Bounds of all proxies: twice the space in one night is a wrong list, half of it a lost one. */
const PROXY_BOUNDS: Bounds = { least: 0.5, most: 2 };
/** Bounds of one type, which are wider because open proxies change quickly. */
const TYPE_BOUNDS: Bounds = { least: 0.2, most: 5 };
/** Types with fewer IPv4 addresses are not compared. */
const LEAST_OF_TYPE = 1_000;

/** The bounds of the gate as text. */
export const PROXY_BOUNDS_TEXT =
  `IPv4 addresses and networks of proxies ${range(PROXY_BOUNDS)}, addresses of each type that had at least ${LEAST_OF_TYPE} ` +
  `${range(TYPE_BOUNDS)} of the last release; no upper bound with a new list`;

/** Returns the counters of the ISP dataset; absent when it has no files. */
export function ispCounters(datasets: Manifest['datasets']): Counters | undefined {
  const isp = datasets?.isp;
  return isp && isp.files.length > 0 ? isp.counters : undefined;
}

type Counters = Readonly<Record<string, number>>;

/** Compares the proxies of a release with those of the last one. */
export function judgeProxies({
  now,
  before,
  hasNewList,
}: {
  readonly now: Counters;
  readonly before: Counters | undefined;
  /** Whether the release has a list, or a file of a list, that the last one did not have. */
  readonly hasNewList: boolean;
}): CheckOutcome[] {
  if (!before) return [{ passed: true, found: 'the last release has no proxies' }];
  const bounded = (bounds: Bounds): Bounds => (hasNewList ? { ...bounds, most: Infinity } : bounds);
  const compare = (name: string, counts: readonly [now: number, before: number], bounds: Bounds) =>
    compareFigures({ name, now: counts[0], added: 0, before: counts[1], bounds: bounded(bounds) });
  const totals = [
    ['proxy addresses', ISP_COUNTERS.proxyIpv4],
    ['proxy networks', ISP_COUNTERS.proxyNetworks],
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
