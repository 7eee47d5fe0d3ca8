import type { DatasetName } from '../release/snapshot.js';

/** Downloads of one dataset by one account: per clock hour and calendar day of the server's time zone (ruling 39). */
export const DOWNLOADS = { perHour: 5, perDay: 30 } as const;

/** Both include this download when it was granted. */
export interface DownloadAdmission {
  readonly hourUsed: number;
  readonly dayUsed: number;
  /** Absent when granted. */
  readonly refused?: {
    readonly limit: number;
    /** Unix seconds. */
    readonly resetAt: number;
  };
}

export interface DownloadMeter {
  /** Takes one of the hour and one of the day, or neither, in one step. Throws Failure(503) without Redis. */
  take(accountId: number, dataset: DatasetName): Promise<DownloadAdmission>;
  /** Gives back what was taken, after a failure before the first byte. */
  giveBack(accountId: number, dataset: DatasetName): Promise<void>;
  /** Counts a download in the account's usage. */
  countUsage(accountId: number): Promise<void>;
}
