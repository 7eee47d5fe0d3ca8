import { setTimeout as sleep } from 'node:timers/promises';
import { DownloadError } from './download-error.js';
import type { FetchLimits } from './fetch-limits.js';
import { connectionError } from './http-get.js';

/** Longer waits are for another night. */
const LONGEST_WAIT_MS = 120_000;

/**
 * Tries something up to `limits.tries` times while it fails in ways that may pass, waiting about twice as long each
 * time, or as long as the server asks. Throws the last DownloadError.
 */
export async function withRetries<T>(
  { tries, backoffMs }: FetchLimits,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DownloadError) || !error.mayPass || n >= tries) throw error;
      // Jitter keeps many clients of one server apart.
      const waitMs = error.retryAfterMs ?? backoffMs * 2 ** (n - 1) * (0.5 + Math.random());
      if (waitMs > LONGEST_WAIT_MS) throw error;
      await pause(waitMs, signal);
    }
  }
}

async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(waitMs, undefined, { signal });
  } catch (error) {
    throw connectionError(error, 'the publisher');
  }
}
