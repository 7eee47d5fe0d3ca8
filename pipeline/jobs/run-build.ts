import { sweep } from '../release/prune-releases.js';
import { acquireBuildLock } from './build-lock.js';
import { runBuildFlow } from './flow.js';
import type { FlowPlan } from './flow-plan.js';
import { InterruptedError, listenForSignals } from './interruption.js';
import { joinRedis, openRedis } from './open-redis.js';
import type { Reporter } from './reporter.js';
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
  const { outputDir, concurrency } = plan.settings;
  const log = (line: string): void => {
    reporter.line(line);
  };
  const lock = acquireBuildLock(outputDir);
  const signals = listenForSignals();
  try {
    // No other build runs now, so all unfinished files are from killed runs.
    await sweep(outputDir);
    await sweepCache(outputDir);
    const redis = await openRedis({ redisUrl, outputDir, log });
    try {
      const onEvent = reporter.event.bind(reporter);
      return await runBuildFlow(redis, plan, {
        processor,
        concurrency,
        log,
        onEvent,
        signal: signals.signal,
      });
    } finally {
      await redis.stop();
    }
  } finally {
    reporter.close();
    lock.release();
    signals.dispose();
  }
}

/**
 * Runs `make worker`: works for a running build until it or a signal ends it. Throws RedisUnreachableError,
 * RedisLostError.
 */
export async function runJoinedWorker(
  where: { readonly outputDir: string; readonly concurrency: number },
  { redisUrl, processor, reporter }: BuildOptions,
): Promise<void> {
  const log = (line: string): void => {
    reporter.line(line);
  };
  const signals = listenForSignals();
  try {
    const redis = await joinRedis({ redisUrl, outputDir: where.outputDir });
    try {
      const { concurrency } = where;
      await runWorker(redis, { processor, concurrency, log, signal: signals.signal });
    } finally {
      await redis.stop();
    }
  } finally {
    reporter.close();
    signals.dispose();
  }
}

/** Returns the exit code for an error of a build. */
export function exitCodeOf(error: unknown): number {
  return error instanceof InterruptedError ? error.exitCode : 1;
}
