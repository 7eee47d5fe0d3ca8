import { download, type DownloadContext, type DownloadResult } from './download.js';
import type { PlannedDownload } from './download-plan.js';

/** Number of hosts downloaded from at the same time, one file per host. */
const HOSTS = 4;

/** Callbacks for the progress of downloads. */
export interface DownloadWatcher {
  started?(planned: PlannedDownload): void;
  bytes?(planned: PlannedDownload, done: number, total: number | undefined): void;
  ended?(planned: PlannedDownload, result: DownloadResult): void;
  /** How many of many small downloads are done; `id` stands for all of them. */
  counted?(id: string, done: number, total: number): void;
  /** The result that sums up many small downloads. */
  summed?(result: DownloadResult): void;
}

/** Downloads the files that are due, several hosts in parallel. Returns the results in the order of the plan. */
export async function downloadAll(
  plan: readonly PlannedDownload[],
  context: Omit<DownloadContext, 'onBytes'>,
  watcher: DownloadWatcher = {},
): Promise<DownloadResult[]> {
  const results = new Map<PlannedDownload, DownloadResult>();
  const byHost = new Map<string, PlannedDownload[]>();
  for (const planned of plan) byHost.set(planned.host, [...(byHost.get(planned.host) ?? []), planned]);
  const hosts = [...byHost.values()];
  const work = async (): Promise<void> => {
    for (let host = hosts.shift(); host; host = hosts.shift()) {
      for (const planned of host) {
        watcher.started?.(planned);
        const onBytes = (done: number, total: number | undefined): void => {
          watcher.bytes?.(planned, done, total);
        };
        const result = await download(planned, { ...context, onBytes });
        results.set(planned, result);
        watcher.ended?.(planned, result);
      }
    }
  };
  await Promise.all(Array.from({ length: HOSTS }, work));
  return plan.map((planned) => results.get(planned)!);
}
