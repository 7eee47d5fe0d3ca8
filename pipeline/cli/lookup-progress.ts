import { createLogUpdate } from 'log-update';
import type { LookupCounts } from '../lookup/look-up.js';
import { grouped } from '../text/figure-text.js';
import { duration } from '../text/duration.js';
import { printableLine } from '../text/printable.js';

/** Shows how far a lookup is, on a terminal. */
export interface LookupProgress {
  /** Draws the progress, at most every 100 ms. */
  show(counts: LookupCounts, bytesDone: number): void;
  /** Removes the progress. */
  close(): void;
}

/** For outputs that are no terminal. */
export const NO_PROGRESS: LookupProgress = { show: () => undefined, close: () => undefined };

const REDRAW_MS = 100;
const BAR_CELLS = 20;

/** Returns a progress line that is redrawn in place. `bytesTotal` is undefined when the size is unknown. */
export function terminalProgress(
  terminal: NodeJS.WritableStream,
  bytesTotal: number | undefined,
): LookupProgress {
  const update = createLogUpdate(terminal, { showCursor: true });
  const startedMs = performance.now();
  let drawnMs = -Infinity;
  return {
    show: (counts, bytesDone) => {
      const nowMs = performance.now();
      if (nowMs - drawnMs < REDRAW_MS) return;
      drawnMs = nowMs;
      const share = bytesTotal === undefined || bytesTotal === 0 ? undefined : bytesDone / bytesTotal;
      update(progressLine(counts, share, (nowMs - startedMs) / 1000));
    },
    close: () => {
      update.clear();
      update.done();
    },
  };
}

/** Formats the progress: `lookup   37 %  ███████░░░░░░░░░░░░░  1,200,000 lines, 400,000 lines/s, 3 bad  5 s left` */
export function progressLine(
  { lines, bad }: LookupCounts,
  share: number | undefined,
  seconds: number,
): string {
  const figures = [
    `${grouped(lines)} lines`,
    `${rateOf(lines, seconds)} lines/s`,
    `${grouped(bad)} bad`,
  ].join(', ');
  if (share === undefined) return `lookup  ${figures}  ${duration(seconds)}`;
  const full = Math.min(BAR_CELLS, Math.floor(share * BAR_CELLS));
  const left = share > 0 ? `${duration((seconds * (1 - share)) / share)} left` : '';
  const percent = `${Math.floor(100 * Math.min(1, share))} %`.padStart(5);
  return `lookup  ${percent}  ${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}  ${figures}  ${left}`.trimEnd();
}

/** Formats the summary: `1,000 lines: 990 found, 7 without data, 3 bad; first bad at line 2: "x"` and the time. */
export function describeLookup(counts: LookupCounts, seconds: number): string {
  const { lines, found, unknown, bad, firstBad } = counts;
  const first = firstBad
    ? `; first bad line ${grouped(firstBad.line)}: "${printableLine(firstBad.text)}"`
    : '';
  const result = `${grouped(lines)} lines: ${grouped(found)} found, ${grouped(unknown)} without data, ${grouped(bad)} bad${first}`;
  return `${result}\n${seconds.toFixed(1)} s, ${rateOf(lines, seconds)} lines/s`;
}

function rateOf(lines: number, seconds: number): string {
  return grouped(seconds > 0 ? Math.round(lines / seconds) : 0);
}
