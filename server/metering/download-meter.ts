import type { DatasetName } from '../release/snapshot.js';

/** Downloads of one dataset by one account: per clock hour and calendar day of the server's time zone (ruling 39). */
export const DOWNLOADS = { perHour: 5, perDay: 30 } as const;

/** What came of taking a download; both counts include it when it was granted. */
export type DownloadAdmission = GrantedDownload | RefusedDownload;

export interface GrantedDownload {
  readonly hourUsed: number;
  readonly dayUsed: number;
  readonly refused?: undefined;
  /** After a failure before the first byte: gives it back to where it was taken from, once. Throws Failure(503). */
  giveBack(): Promise<void>;
}

export interface RefusedDownload {
  readonly hourUsed: number;
  readonly dayUsed: number;
  readonly refused: {
    readonly limit: number;
    /** Unix seconds. */
    readonly resetAt: number;
  };
}

export interface DownloadMeter {
  /**
   * Takes one of the hour and one of the day and counts it in the account's usage, or nothing, in one step. Throws
   * Failure(503) without Redis.
   */
  take(accountId: number, dataset: DatasetName): Promise<DownloadAdmission>;
}
