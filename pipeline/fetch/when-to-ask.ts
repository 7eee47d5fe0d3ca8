import type { PlannedDownload } from './download-plan.js';
import type { DownloadState, KeptCopy, LastOutcome } from './download-state.js';

/** Returns the outcome without a request: the publisher asked to wait, or was asked recently; absent if one is due. */
export function knownWithoutAsking(
  { download }: PlannedDownload,
  { state, copy }: { readonly state: DownloadState; readonly copy: KeptCopy | undefined },
  now: Date,
): LastOutcome | undefined {
  const { notBefore } = state;
  if (notBefore !== undefined && new Date(notBefore) > now) {
    return { outcome: 'failed', failure: 'throttled', text: `next request after ${notBefore}` };
  }
  const { sha256Url, everyHours, pauseHours } = download;
  if (pauseHours !== undefined && wasAskedSince(state, now.getTime() - pauseHours * HOUR_MS)) {
    const text = `not requested again within ${pauseHours} h`;
    const failure = state.last?.outcome === 'failed' ? state.last.failure : undefined;
    if (copy !== undefined && failure === undefined) return { outcome: 'unchanged', text };
    return { outcome: 'failed', failure: failure ?? 'throttled', text };
  }
  if (!copy || copy.etag !== undefined || copy.lastModified !== undefined) return undefined;
  // A checksum or the name of a slot shows whether the file is new.
  if (sha256Url !== undefined || everyHours !== undefined) return undefined;
  if (now.getTime() - Date.parse(copy.fetched) >= UNDATED_MS) return undefined;
  return { outcome: 'unchanged', text: `not requested again: downloaded ${copy.fetched}` };
}

/** Files without a validator are requested once a night, not at every run. */
const UNDATED_MS = 20 * 3_600_000;

const HOUR_MS = 3_600_000;

function wasAskedSince({ checked }: DownloadState, ms: number): boolean {
  return checked !== undefined && Date.parse(checked) > ms;
}
