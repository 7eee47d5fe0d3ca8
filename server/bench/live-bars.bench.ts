import type { BenchReport, BenchRow } from '../../pipeline/bench/bench-report.js';
import type { ProcessFigures } from '../testing/measured-process.js';
import type { Waited } from './live-calls.bench.js';
import type { Endpoint } from './silent-endpoints.bench.js';

/** What was seen, a figure for each endpoint. */
export class Found {
  /** How much longer than its budget one call took. */
  readonly aloneMs: number[] = [];
  /** The same of the longest of many. */
  readonly beyondMs: number[] = [];
  /** And without the time of as many calls that wait for nobody. */
  readonly beyondAtOnceMs: number[] = [];
  /** Calls that came to something else. */
  otherwise = 0;
  /** Lookups a second, and the CPU time of each, beside waiting calls as a share of those without. */
  readonly rateShares: number[] = [];
  readonly cpuShares: number[] = [];
  /** A name that is answered for, beside them. */
  readonly knownMs: number[] = [];
}

/** What became of so many calls at once. */
export function waitedRow(
  { name, budgetMs }: Endpoint,
  count: number,
  { waited, more = {} }: { readonly waited: Waited; readonly more?: Readonly<Record<string, number>> },
): BenchRow {
  const { longestMs, otherwise } = waited;
  const figures = { budgetMs, beyondMs: longestMs - budgetMs, otherwise, ...more };
  return { subject: `${name} x ${count}`, figures };
}

/** What the server's process holds. */
export function heldRow(
  subject: string,
  { rssMb, heapMb, descriptors = 0, timers }: ProcessFigures,
): BenchRow {
  return { subject, figures: { rssMb, heapMb, descriptors, timers } };
}

/** What must be so, when `calls` waited at once. */
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
      ...{ what: 'longest call alone', bar: `at most ${MOST_BEYOND_MS} ms beyond its budget` },
      ...{ measured: `${aloneMs.toFixed(0)} ms beyond`, isMet: aloneMs <= MOST_BEYOND_MS },
    },
    {
      ...{ what: `longest of ${calls} at once`, bar: `at most ${MOST_BEYOND_MS} ms beyond its budget` },
      ...{ measured: `${beyondMs.toFixed(0)} ms beyond`, isMet: beyondMs <= MOST_BEYOND_MS },
    },
    {
      what: `the same, without the time of as many calls that wait for nobody`,
      bar: `at most ${MOST_BEYOND_MS} ms beyond its budget`,
      measured: `${beyondAtOnceMs.toFixed(0)} ms beyond`,
      isMet: beyondAtOnceMs <= MOST_BEYOND_MS,
    },
    {
      ...{ what: 'calls that came to something else', bar: 'none' },
      ...{ measured: String(found.otherwise), isMet: found.otherwise === 0 },
    },
    {
      ...{ what: `lookups a second beside ${calls} waiting calls`, bar: 'at least 80 % of those without' },
      ...{ measured: `${(100 * share).toFixed(0)} % (median of the endpoints)`, isMet: share >= 0.8 },
    },
    {
      ...{ what: 'a name that is answered for, beside them', bar: 'within 1 s' },
      ...{ measured: `${knownMs.toFixed(0)} ms`, isMet: knownMs <= 1000 },
    },
    {
      ...{ what: 'descriptors after all of it', bar: 'as many as before' },
      ...{ measured: `${left} more`, isMet: left <= 0 },
    },
  ];
}

/** How much longer than its budget a call may take. */
const MOST_BEYOND_MS = 200;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
