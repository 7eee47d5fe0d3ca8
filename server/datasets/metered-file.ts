import { limitExceeded } from '../failure.js';
import { DOWNLOADS, type DownloadAdmission, type DownloadMeter } from '../ledger/meters/download-meter.js';
import type { DatasetFile, DatasetName } from '../release/snapshot.js';
import { openDataset, type OpenDataset } from './open-file.js';

/** A file that an account downloads, and the dataset whose limits it counts against. */
export interface MeteredFile {
  readonly accountId: number;
  readonly dataset: DatasetName;
  readonly file: DatasetFile;
}

/** An open file whose download was counted. */
export interface OpenMetered {
  readonly opened: OpenDataset;
  /** The headers with the limits and their use. */
  readonly headers: Readonly<Record<string, string>>;
  /** Refunds the download, for an answer that ends before its first byte is written (decision 39). */
  readonly unsent: () => void;
}

/**
 * Opens a file and counts its download, whichever way it is sent. Throws Failure(429) with the exceeded limit,
 * Failure(500) when the file is unreadable, and Failure(503) while Redis is unavailable; the file is closed then.
 */
export async function openMetered(asked: MeteredFile, meter: DownloadMeter): Promise<OpenMetered> {
  const opened = await openDataset(asked.file);
  try {
    const admission = await meter.take(asked.accountId, asked.dataset);
    const headers = meterHeaders(admission);
    const { refused } = admission;
    if (refused) throw limitExceeded(refused, () => `download limit of ${refused.limit} exceeded`, headers);
    const unsent = (): void => {
      // While Redis is unavailable the download stays counted.
      admission.refund().catch(() => undefined);
    };
    return { opened, headers, unsent };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function meterHeaders({ hourUsed, dayUsed }: DownloadAdmission): Record<string, string> {
  return {
    'X-Dataset-Hourly-Limit': String(DOWNLOADS.perHour),
    'X-Dataset-Hourly-Used': String(hourUsed),
    'X-Dataset-Daily-Limit': String(DOWNLOADS.perDay),
    'X-Dataset-Daily-Used': String(dayUsed),
  };
}
