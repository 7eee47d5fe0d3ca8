import type { RoundTrips } from './prober.js';

/** Round trips as the API shows them. */
export interface ProbeSummary {
  readonly sent: number;
  readonly recv: number;
  /** Percent of the attempts that failed, two decimals. */
  readonly loss: number;
  /** ms, two decimals. null when every attempt failed. */
  readonly min: number | null;
  readonly max: number | null;
  readonly avg: number | null;
  readonly rtts: RoundTrips;
}

/** Summarizes the round trips of at least one attempt. */
export function summaryOf(rtts: RoundTrips): ProbeSummary {
  const times = rtts.filter((rtt) => rtt !== null);
  const sent = rtts.length;
  const recv = times.length;
  const counts = { sent, recv, loss: roundTo2(((sent - recv) / sent) * 100) };
  if (recv === 0) return { ...counts, min: null, max: null, avg: null, rtts };
  const sum = times.reduce((total, time) => total + time, 0);
  return { ...counts, min: Math.min(...times), max: Math.max(...times), avg: roundTo2(sum / recv), rtts };
}

/** Rounds to two decimals. */
export function roundTo2(value: number): number {
  return Math.round(value * 100) / 100;
}
