import assert from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';
import { CurrentFollower, type Followed } from '../../pipeline/store/current-follower.js';
import { openStore } from '../../pipeline/store/open-store.js';
import type { StoreAddress } from '../../pipeline/store/store-address.js';
import { TransientError } from '../../pipeline/store/transient-error.js';

/** The input of the thread. */
export interface FollowSettings {
  readonly store: StoreAddress;
  readonly outputDir: string;
  /** Number of releases to keep in the output folder. */
  readonly keepReleases: number;
  /** Time between two checks. */
  readonly storePollMs: number;
}

/** What the thread reports after each check of the store. */
export type FollowReport =
  | { readonly followed: Followed; readonly tookMs: number }
  /** `passing`: the fault may pass by itself. */
  | { readonly failed: string; readonly passing: boolean };

/**
 * The worker thread that follows a store: it checks at once, then at an interval and at every message. Downloads and
 * hashes of hundreds of megabytes delay no request there. It may be terminated at any instruction.
 */
const port = parentPort;
assert(port, 'this module runs as a worker thread');
const { store: address, outputDir, keepReleases, storePollMs } = workerData as FollowSettings;
const store = await openStore(address);
const follower = new CurrentFollower({ store, outputDir, keep: keepReleases });
let wake = (): void => undefined;
port.on('message', () => {
  wake();
});
for (;;) {
  port.postMessage(await check());
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, storePollMs);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

async function check(): Promise<FollowReport> {
  const started = performance.now();
  try {
    return { followed: await follower.poll(), tookMs: performance.now() - started };
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    return { failed, passing: error instanceof TransientError };
  }
}
