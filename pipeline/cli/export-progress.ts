import { printableLine } from '../text/printable.js';
import type { Environment } from './environment.js';

const INTERVAL_MS = 250;

/** A line on the terminal that shows how much of a dataset was read. */
export interface ExportProgress {
  readonly visited: (share: number) => void;
  /** Removes the line. */
  readonly end: () => void;
}

/** Returns the progress of an export; it prints nothing without a terminal. */
export function exportProgress(
  name: string,
  { isTerminal, progress }: Pick<Environment, 'isTerminal' | 'progress'>,
): ExportProgress {
  let lastMs = performance.now();
  let isShown = false;
  return {
    visited: (share) => {
      if (!isTerminal || performance.now() - lastMs < INTERVAL_MS) return;
      lastMs = performance.now();
      isShown = true;
      progress.write(`\r\x1b[K${printableLine(name)}  ${Math.floor(share * 100)} %`);
    },
    end: () => {
      if (isShown) progress.write('\r\x1b[K');
    },
  };
}
