import type { StageProgress } from '../stage/stage.js';

/** Minimum interval: at most four messages per second and job go through Redis. */
const INTERVAL_MS = 250;

/** A rate limit in front of an expensive sink. */
export interface ThrottledProgress {
  readonly progress: (progress: StageProgress) => void;
  /** Passes on the pending report. */
  readonly flush: () => void;
}

/**
 * Passes on the first report at once and later ones at most every 250 ms, each with all fields so far. Uses no timer,
 * so it works in a stage that never yields. The last report waits for the next one or for `flush`.
 */
export function throttleProgress(sink: (p: StageProgress) => void, now: () => number): ThrottledProgress {
  let known: StageProgress = {};
  let pending = false;
  let lastMs = -Infinity;
  const flush = (): void => {
    if (!pending) return;
    pending = false;
    lastMs = now();
    sink(known);
  };
  const progress = (report: StageProgress): void => {
    known = { ...known, ...report };
    pending = true;
    if (now() - lastMs >= INTERVAL_MS) flush();
  };
  return { progress, flush };
}
