import { Readable } from 'node:stream';
import { LayeredClaims } from '../input/claims/layered-claims.js';
import { FeedError } from '../input/feed-error.js';
import type { PublishedFile } from '../input/published-source.js';
import { spaceByUrl, type GeofeedBlocks } from '../input/registrations/geofeed-blocks.js';
import { FOUND_GEOFEEDS, foundGeofeedName } from '../input/registrations/geofeed-url.js';
import { Tally } from '../input/tally.js';
import { FOUND_GEOFEED_BYTES } from '../feeds/own/geofeed-files.js';
import { readGeofeed } from '../feeds/own/geofeeds.js';
import { OWN_LAYERS } from '../feeds/own/layers.js';
import { FlatTable } from '../table/flat-table.js';
import { download, type DownloadContext, type DownloadResult } from './download.js';
import type { DownloadWatcher } from './download-all.js';
import { planDownloads, type PlannedDownload } from './download-plan.js';
import type { FetchLimits } from './fetch-limits.js';

/** The limits for geofeeds that registrations name: anyone with a registration can add servers. */
export interface FoundLimits {
  readonly geofeeds: number;
  readonly perHost: number;
  /** The number of hosts that are asked at the same time. */
  readonly hosts: number;
  /** For all copies together. */
  readonly totalBytes: number;
  /** Time for all requests of a night. The other geofeeds are requested in the next night. */
  readonly nightMs: number;
  readonly each: FetchLimits;
}

export const FOUND_LIMITS: FoundLimits = {
  geofeeds: 20_000,
  perHost: 2_000,
  hosts: 16,
  totalBytes: 1_000_000_000,
  nightMs: 15 * 60_000,
  each: {
    tries: 2,
    backoffMs: 1_000,
    headersTimeoutMs: 20_000,
    idleTimeoutMs: 20_000,
    budgetMs: 60_000,
    maxBytes: FOUND_GEOFEED_BYTES,
  },
};

/**
 * Plans the downloads of geofeeds that registrations name: those of the largest space first, up to the limits. Leaves
 * out URLs that the operator lists. Each geofeed is requested once a week.
 */
export function planFoundGeofeeds(
  blocks: GeofeedBlocks,
  listed: ReadonlySet<string>,
  { geofeeds, perHost }: Pick<FoundLimits, 'geofeeds' | 'perHost'> = FOUND_LIMITS,
): PlannedDownload[] {
  const space = spaceByUrl(blocks);
  const bySpace = blocks.urls
    .map((url, n) => ({ url, space: space[n]! }))
    .filter((one) => one.space > 0 && !listed.has(one.url.href))
    .sort((a, b) => b.space - a.space || (a.url.href < b.url.href ? -1 : 1));
  const counts = new Map<string, number>();
  const files: PublishedFile[] = [];
  for (const { url } of bySpace) {
    const count = counts.get(url.host) ?? 0;
    if (files.length >= geofeeds) break;
    if (count >= perHost) continue;
    counts.set(url.host, count + 1);
    files.push(foundFile(url));
  }
  return planDownloads(files);
}

/**
 * Downloads geofeeds, several hosts at the same time, and returns one result for all of them: dead servers of others
 * are counted, and are no failure of the download.
 */
export async function downloadFoundGeofeeds(
  plan: readonly PlannedDownload[],
  context: Omit<DownloadContext, 'onBytes' | 'limits' | 'publicOnly'>,
  {
    watcher = {},
    limits = FOUND_LIMITS,
  }: { readonly watcher?: DownloadWatcher; readonly limits?: FoundLimits },
): Promise<DownloadResult> {
  const { hosts, nightMs, totalBytes, each } = limits;
  const byHost = new Map<string, PlannedDownload[]>();
  for (const one of plan) byHost.set(one.host, [...(byHost.get(one.host) ?? []), one]);
  const queue = [...byHost.values()];
  const results: DownloadResult[] = [];
  const ends = Date.now() + nightMs;
  let bytes = 0;
  const work = async (): Promise<void> => {
    for (let host = queue.shift(); host; host = queue.shift()) {
      for (const planned of host) {
        if (Date.now() >= ends || bytes >= totalBytes) return;
        const guarded = { ...context, limits: each, publicOnly: true, onBytes: () => undefined };
        const result = await download(planned, guarded);
        bytes += result.copy?.sizeBytes ?? 0;
        results.push(result);
        watcher.counted?.(FOUND_ID, results.length, plan.length);
      }
    }
  };
  await Promise.all(Array.from({ length: hosts }, work));
  const summary = summaryOf(results, plan.length);
  watcher.summed?.(summary);
  return summary;
}

/** Returns the prefix of the keys of such downloads. */
export const FOUND_KEYS = `${FOUND_GEOFEEDS}_`;

/** Stands for all such downloads in messages. */
const FOUND_ID = `own/${FOUND_GEOFEEDS}`;

const PAUSE_HOURS = 7 * 24 - 12;

function foundFile(url: URL): PublishedFile {
  const file = { folder: 'own', name: foundGeofeedName(url), container: 'plain' } as const;
  const maxBytes = FOUND_GEOFEED_BYTES;
  const downloadOf = { url: url.href, minBytes: 1, maxBytes, pauseHours: PAUSE_HOURS, refuse: refuseOthers };
  return { ...file, required: false, take: 'all', maxUnpackedBytes: maxBytes, download: downloadOf };
}

/** Returns the problem of a text that is not a geofeed: other columns, or one row in five is rejected. */
async function refuseOthers(text: string): Promise<string | undefined> {
  const file = { id: 'geofeed', folder: 'own', name: '', container: 'plain', path: '' } as const;
  const bytes = Buffer.from(text);
  const open = { ...file, sizeBytes: bytes.length, maxUnpackedBytes: bytes.length, onRead: () => undefined };
  const tally = new Tally();
  const claims = new LayeredClaims(OWN_LAYERS.length, FlatTable.empty());
  try {
    await readGeofeed(open, Readable.from([bytes]), claims.sinkFor(open, tally));
  } catch (error) {
    if (error instanceof FeedError) return error.found;
    throw error;
  }
  const { rows, rejected } = tally;
  return rejected > rows * TOLERANCE ? `not a geofeed: ${rejected} of ${rows} rows rejected` : undefined;
}

const TOLERANCE = 0.2;

function summaryOf(results: readonly DownloadResult[], planned: number): DownloadResult {
  const failures = new Map<string, number>();
  for (const { failure } of results) {
    if (failure !== undefined) failures.set(failure, (failures.get(failure) ?? 0) + 1);
  }
  const count = (outcome: DownloadResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  const reasons = [...failures].sort().map(([failure, number]) => `${failure} ${number}`);
  const failed = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
  const waiting = planned - results.length;
  const text =
    `registrations name ${planned} ${planned === 1 ? 'geofeed' : 'geofeeds'}: ${count('downloaded')} downloaded, ${count('unchanged')} unchanged, ` +
    `${count('failed')} failed${failed}${waiting > 0 ? `, ${waiting} not requested yet` : ''}`;
  const outcome = count('downloaded') > 0 ? 'downloaded' : 'unchanged';
  return { file: FOUND_ID, outcome, text };
}
