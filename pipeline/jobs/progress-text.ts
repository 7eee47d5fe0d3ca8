import type { JobEvent } from './job-events.js';
import type { StageProgress } from '../stage/stage.js';
import { printableLine } from '../text/printable.js';
import { grouped } from '../text/figure-text.js';

/** The displayed state of a job. All times are from one clock, in ms. */
export interface JobView {
  readonly job: string;
  readonly startedMs: number;
  /** Absent while it runs. */
  readonly endedMs?: number;
  readonly outcome?: 'done' | 'failed';
  readonly progress: StageProgress;
}

const TEXT_CELLS = 200;

/** Returns a job's view after an event. A retried job starts again without progress. */
export function nextView(view: JobView | undefined, event: JobEvent, nowMs: number): JobView {
  const running = view ?? { job: event.job, startedMs: nowMs, progress: {} };
  switch (event.type) {
    case 'started':
      return { job: event.job, startedMs: nowMs, progress: {} };
    case 'progress':
      return { ...running, progress: event.progress };
    case 'done':
    case 'failed':
      return { ...running, endedMs: nowMs, outcome: event.type };
    default:
      return running;
  }
}

/** Describes an event as one line, without the job's name. Text from others is escaped. */
export function plainText(event: JobEvent, view: JobView, nowMs: number): string {
  return printableLine(describe(event, view, nowMs));
}

function describe(event: JobEvent, view: JobView, nowMs: number): string {
  switch (event.type) {
    case 'started':
      return 'started';
    case 'progress':
      return plainFigures(view, nowMs);
    case 'log':
      return event.line;
    case 'retrying':
      return `retrying: ${event.reason}`;
    case 'done':
      return `done: ${plainFigures(view, nowMs)}`;
    case 'failed':
      return `failed: ${event.error.reason}`;
  }
}

/** Formats the figures of a job: `50 %, 1,200,000 rows, 400,000 rows/s, 3 rejected, 3.0 s` */
export function plainFigures(view: JobView, nowMs: number): string {
  const elapsedMs = elapsed(view, nowMs);
  const share = shareOf(view.progress);
  const parts = [...figures(view.progress, elapsedMs), `${(elapsedMs / 1000).toFixed(1)} s`];
  return (share === undefined || view.outcome === 'done' ? parts : [percent(share), ...parts]).join(', ');
}

/** Returns the share of a job that is done, 0..1: the stated one, else that of the bytes; undefined if it is unknown. */
export function shareOf({ share, bytesDone, bytesTotal }: StageProgress): number | undefined {
  if (share !== undefined) return share;
  if (bytesDone === undefined || bytesTotal === undefined || bytesTotal === 0) return undefined;
  return Math.min(1, bytesDone / bytesTotal);
}

/** Formats a share as a whole percentage. It is `100 %` only at the end. */
export function percent(share: number): string {
  return `${Math.floor(100 * share)} %`;
}

/** Returns the time that a job has taken, in ms. */
export function elapsed({ startedMs, endedMs }: JobView, nowMs: number): number {
  return (endedMs ?? nowMs) - startedMs;
}

/** Formats the current step, rows, rate and rejections. `0 rejected` is shown too. */
export function figures({ rows, rejected, text }: StageProgress, elapsedMs: number): string[] {
  const parts = text === undefined ? [] : [printableLine(text, TEXT_CELLS)];
  if (rows === undefined) return parts;
  parts.push(`${grouped(rows)} rows`);
  if (elapsedMs > 0) parts.push(`${grouped(Math.round((1000 * rows) / elapsedMs))} rows/s`);
  parts.push(`${grouped(rejected ?? 0)} rejected`);
  return parts;
}
