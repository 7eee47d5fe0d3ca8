import assert from 'node:assert';
import { parentPort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { KeptRelease, type KeptRecords } from './kept-release.js';

/** A question to the thread. */
export interface HistoryQuestion {
  readonly number: number;
  /** The folder of the release. */
  readonly dir: string;
  readonly ip: string;
}

/** The answer to a question. */
export type HistoryAnswer =
  | { readonly number: number; readonly records: KeptRecords }
  | { readonly number: number; readonly failed: string };

/** Releases with open files. Each has at most 1 MB of pages for each of its files. */
const OPEN_RELEASES = 3;
/** Files that are not used are closed, so that the disk space of a removed release is freed. */
const IDLE_MS = 30_000;

/** The worker thread of `ReleaseHistory`: looks addresses up in the files of kept releases, one after the other. */
const port = parentPort;
assert(port, 'this module runs as a worker thread');
const releases = new LRUCache<string, KeptRelease>({
  max: OPEN_RELEASES,
  dispose: (release) => {
    release.close();
  },
});
let last: Promise<void> = Promise.resolve();
let idle: NodeJS.Timeout | undefined;
port.on('message', (question: HistoryQuestion) => {
  last = last.then(async () => {
    port.postMessage(await answerOf(question));
    clearTimeout(idle);
    idle = setTimeout(() => {
      releases.clear();
    }, IDLE_MS);
  });
});

async function answerOf({ number, dir, ip }: HistoryQuestion): Promise<HistoryAnswer> {
  try {
    let release = releases.get(dir);
    if (release === undefined) releases.set(dir, (release = await KeptRelease.open(dir)));
    return { number, records: release.recordsOf(ip) };
  } catch (error) {
    releases.delete(dir);
    return { number, failed: error instanceof Error ? error.message : String(error) };
  }
}
