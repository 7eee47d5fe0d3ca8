import { shareLastRelease } from '../stage/last-release.js';
import type { BuildSettings, Place } from '../stage/settings.js';
import { openStore } from '../store/open-store.js';
import { RemoteTier } from '../store/remote-tier.js';
import { sweep } from '../release/prune-releases.js';
import { acquireBuildLock } from './build-lock.js';
import { runBuildFlow } from './flow.js';
import type { FlowPlan } from './flow-plan.js';
import { jobNames, planJobs } from './planned-jobs.js';
import { listenForSignals } from './interruption.js';
import { readJobTimes, Stopwatch, writeJobTimes } from './expected-times.js';
import { joinRedis, openRedis } from './open-redis.js';
import type { JobEvent } from './job-events.js';
import type { Reporter } from './reporter.js';
import { lockStore } from './store-lock.js';
import { sweepCache } from '../ingest/cache-folders.js';
import { runWorker, type JobProcessor } from './worker.js';

/** The environment of a build. */
export interface BuildOptions {
  readonly redisUrl: string | undefined;
  readonly processor: JobProcessor;
  readonly reporter: Reporter;
}

/**
 * Runs a whole build: lock, Redis, flow. Releases everything in all cases, SIGINT and SIGTERM included. Returns the
 * result of publish. Throws BuildRunningError, the errors of openRedis and runBuildFlow, and InterruptedError.
 */
export async function runBuild(plan: FlowPlan, options: BuildOptions): Promise<unknown> {
  const { redisUrl, processor, reporter } = options;
  const { outputDir, concurrency, store } = plan.settings;
  const log = (line: string): void => {
    reporter.line(line);
  };
  const lock = acquireBuildLock(outputDir);
  const signals = listenForSignals();
  try {
    // No other build runs now, so all unfinished files are from killed runs.
    await sweep(outputDir);
    await sweepCache(outputDir);
    const redis = await openRedis({ redisUrl, outputDir, store, log });
    try {
      // A private Redis has no other builds.
      const shared = redis.isPrivate ? undefined : await lockStore(redis, { outputDir });
      const signal = AbortSignal.any([signals.signal, ...(shared ? [shared.taken] : [])]);
      try {
        const settings = await untilAborted(withLastRelease(plan.settings, log), signal);
        const tonight = { ...plan, settings };
        return await timed(tonight, reporter, (ordered, onEvent) =>
          runBuildFlow(redis, ordered, { processor, concurrency, log, onEvent, signal }),
        );
      } finally {
        await shared?.release();
      }
    } finally {
      await redis.stop();
    }
  } finally {
    reporter.close();
    lock.release();
    signals.dispose();
  }
}

/** Runs the jobs of a build, orders and reports them by the times of earlier builds, and stores how long they took. */
async function timed(
  plan: FlowPlan,
  reporter: Reporter,
  run: (plan: FlowPlan, onEvent: (event: JobEvent) => void) => Promise<unknown>,
): Promise<unknown> {
  const { outputDir } = plan.settings;
  const last = await readJobTimes(outputDir);
  const stopwatch = new Stopwatch(Date.now);
  reporter.planned({ jobs: jobNames(planJobs(plan.settings)), expected: last });
  const result = await run({ ...plan, times: last?.jobs }, (event) => {
    stopwatch.event(event);
    reporter.event(event);
  });
  try {
    await writeJobTimes(outputDir, { last, measured: stopwatch.times() });
  } catch (error) {
    // The release is published: a full disk here must not fail the build.
    reporter.line(`the times of the jobs were not stored: ${String(error)}`);
  }
  return result;
}

/**
 * Runs `make worker`: works for a running build until it or a signal ends it. Throws RedisUnreachableError,
 * RedisLostError.
 */
export async function runJoinedWorker(
  where: Place & { readonly concurrency: number; readonly cacheBytes: number },
  { redisUrl, processor, reporter }: BuildOptions,
): Promise<void> {
  const log = (line: string): void => {
    reporter.line(line);
  };
  const signals = listenForSignals();
  try {
    const { concurrency, cacheBytes, ...place } = where;
    const redis = await joinRedis({ redisUrl, ...place });
    try {
      await runWorker(redis, { processor, concurrency, place, cacheBytes, log, signal: signals.signal });
    } finally {
      await redis.stop();
    }
  } finally {
    reporter.close();
    signals.dispose();
  }
}

/** Waits for work; rejects with the reason of a signal that is aborted before. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject);
  });
}

/** Returns the settings with the last release, which jobs on other machines read from the store. */
async function withLastRelease(settings: BuildSettings, log: (line: string) => void): Promise<BuildSettings> {
  const { store } = settings;
  if (!store) return settings;
  const remote = new RemoteTier(() => openStore(store), { log });
  try {
    const last = await shareLastRelease(settings, remote);
    return last ? { ...settings, last } : settings;
  } finally {
    await remote.close();
  }
}
