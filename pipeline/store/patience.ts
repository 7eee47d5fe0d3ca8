import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from './store-error.js';
import { TransientError } from './transient-error.js';

/** How long faults that may pass are waited out. */
export interface Patience {
  readonly log: (line: string) => void;
  /** From the first fault to giving up. */
  readonly patienceMs: number;
  /** Before the second try; doubles up to 30 s. */
  readonly firstWaitMs: number;
}

/** Time for which a build waits for a store that has gone. */
export const PATIENCE_MS = 30 * 60_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Repeats a step while it throws TransientError. Logs one line when the waiting begins and one when it ends. Throws
 * StoreError when the patience ends.
 */
export async function withPatience<T>(patience: Patience, step: () => Promise<T>): Promise<T> {
  const { log, patienceMs } = patience;
  let waitMs = patience.firstWaitMs;
  let endMs: number | undefined;
  for (;;) {
    try {
      const result = await step();
      if (endMs !== undefined) log('the store responds again');
      return result;
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      if (endMs === undefined) log(`the store does not respond: ${error.message}; trying again`);
      endMs ??= Date.now() + patienceMs;
      if (Date.now() >= endMs) {
        const minutes = Math.round(patienceMs / 60_000);
        throw new StoreError(error.message, `no success within ${minutes} minutes`, { cause: error });
      }
    }
    await sleep(waitMs);
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
  }
}
