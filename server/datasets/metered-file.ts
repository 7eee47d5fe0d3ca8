import { limitExceeded } from '../failure.js';
import {
  limitsOf,
  type DownloadAdmission,
  type DownloadMeter,
  type GrantedDownload,
  type MeteredName,
} from '../ledger/meters/download-meter.js';
import type { SentFile } from '../release/snapshot.js';
import { openDataset, type OpenDataset } from './open-file.js';

/** A file that an account downloads, and the dataset whose limits it counts against. */
export interface MeteredFile {
  readonly accountId: number;
  readonly dataset: MeteredName;
  readonly file: SentFile;
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
    const { admission, headers } = await takeMetered(asked, meter);
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

/** Counts a download, and returns the headers with the limits and their use. Throws as `openMetered`. */
export async function takeMetered(
  { accountId, dataset }: Pick<MeteredFile, 'accountId' | 'dataset'>,
  meter: DownloadMeter,
): Promise<{ readonly admission: GrantedDownload; readonly headers: Readonly<Record<string, string>> }> {
  const admission = await meter.take(accountId, dataset);
  const headers = meterHeaders(dataset, admission);
  const { refused } = admission;
  if (refused) throw limitExceeded(refused, () => `download limit of ${refused.limit} exceeded`, headers);
  return { admission, headers };
}

function meterHeaders(
  dataset: MeteredName,
  { hourUsed, dayUsed }: DownloadAdmission,
): Record<string, string> {
  const limits = limitsOf(dataset);
  return {
    'X-Dataset-Hourly-Limit': String(limits.perHour),
    'X-Dataset-Hourly-Used': String(hourUsed),
    'X-Dataset-Daily-Limit': String(limits.perDay),
    'X-Dataset-Daily-Used': String(dayUsed),
  };
}
