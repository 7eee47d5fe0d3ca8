import type { BenchReport, BenchRow } from '../../pipeline/bench/bench-report.js';
import type { ProcessFigures } from '../testing/measured-process.js';
import type { Waited } from './live-calls.bench.js';
import type { Endpoint } from './silent-endpoints.bench.js';

/** Measurements, one per endpoint. */
export class Found {
  /** Time over the budget of a single call. */
  readonly aloneMs: number[] = [];
  /** The same for the longest of many concurrent calls. */
  readonly beyondMs: number[] = [];
  /** The same minus the time of as many calls without upstreams. */
  readonly beyondAtOnceMs: number[] = [];
  /** Calls with an unexpected result. */
  otherwise = 0;
  /** Lookups per second, and CPU time per lookup, while calls wait; as shares of the values without waiting calls. */
  readonly rateShares: number[] = [];
  readonly cpuShares: number[] = [];
  /** Time to look up a name with a reply while calls wait. */
  readonly knownMs: number[] = [];
}

/** Returns the row for `count` concurrent calls. */
export function waitedRow(
  { name, budgetMs }: Endpoint,
  count: number,
  { waited, more = {} }: { readonly waited: Waited; readonly more?: Readonly<Record<string, number>> },
): BenchRow {
  const { longestMs, otherwise } = waited;
  const figures = { budgetMs, beyondMs: longestMs - budgetMs, otherwise, ...more };
  return { subject: `${name} x ${count}`, figures };
}

/** Returns the row with the resources of the server process. */
export function heldRow(
  subject: string,
  { rssMb, heapMb, descriptors = 0, timers }: ProcessFigures,
): BenchRow {
  return { subject, figures: { rssMb, heapMb, descriptors, timers } };
}

/** Returns the targets with the measured values. `calls` is the number of concurrent calls. */
export function barsOf(
  found: Found,
  calls: number,
  { before, after }: { readonly before: ProcessFigures; readonly after: ProcessFigures },
): BenchReport['bars'] {
  const aloneMs = Math.max(...found.aloneMs);
  const beyondMs = Math.max(...found.beyondMs);
  const beyondAtOnceMs = Math.max(...found.beyondAtOnceMs);
  const share = median(found.rateShares);
  const knownMs = Math.max(...found.knownMs);
  const { descriptors = 0 } = before;
  const left = (after.descriptors ?? 0) - descriptors;
  return [
    {
      what: 'longest call alone',
      bar: `at most ${MOST_BEYOND_MS} ms beyond its budget`,
      measured: `${aloneMs.toFixed(0)} ms beyond`,
      isMet: aloneMs <= MOST_BEYOND_MS,
    },
    {
      what: `longest of ${calls} at once`,
      bar: `at most ${MOST_BEYOND_MS} ms beyond its budget`,
      measured: `${beyondMs.toFixed(0)} ms beyond`,
      isMet: beyondMs <= MOST_BEYOND_MS,
    },
    {
      what: 'the same, minus the time of as many calls without upstreams',
      bar: `at most ${MOST_BEYOND_MS} ms beyond its budget`,
      measured: `${beyondAtOnceMs.toFixed(0)} ms beyond`,
      isMet: beyondAtOnceMs <= MOST_BEYOND_MS,
    },
    {
      what: 'calls with an unexpected result',
      bar: 'none',
      measured: String(found.otherwise),
      isMet: found.otherwise === 0,
    },
    {
      what: `lookups per second while ${calls} calls wait`,
      bar: 'at least 80 % of those without',
      measured: `${(100 * share).toFixed(0)} % (median of the endpoints)`,
      isMet: share >= 0.8,
    },
    {
      what: 'lookup of a name with a reply while calls wait',
      bar: 'within 1 s',
      measured: `${knownMs.toFixed(0)} ms`,
      isMet: knownMs <= 1000,
    },
    {
      what: 'descriptors after all calls',
      bar: 'as many as before',
      measured: `${left} more`,
      isMet: left <= 0,
    },
  ];
}

/** The limit of time over the budget. */
const MOST_BEYOND_MS = 200;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
