import { setTimeout as sleep } from 'node:timers/promises';
import { DownloadError } from './download-error.js';
import type { FetchLimits } from './fetch-limits.js';
import { connectionError } from './http-get.js';

/** A longer wait is left to the next night. */
const LONGEST_WAIT_MS = 120_000;

/**
 * Retries temporary failures up to `limits.tries` tries. The wait roughly doubles each time, or is the one that the
 * server asks for. Throws the last DownloadError.
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
