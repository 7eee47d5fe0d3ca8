import type { StageProgress } from '../stages/stage.js';

/** At most four messages per second and job go through Redis. */
const INTERVAL_MS = 250;

/** A filter before a costly sink. */
export interface ThrottledProgress {
  readonly progress: (progress: StageProgress) => void;
  /** Passes on what was held back. */
  readonly flush: () => void;
}

/**
 * Passes on a first report at once, later ones at most every 250 ms, each with all fields known so far. It needs no
 * timer, so it works inside a stage that never yields; the rest waits for the next report or `flush`.
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
