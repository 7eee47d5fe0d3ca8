import { sweep } from '../release/prune-releases.js';
import { acquireBuildLock } from './build-lock.js';
import { runBuildFlow } from './flow.js';
import type { FlowPlan } from './flow-plan.js';
import { InterruptedError, listenForSignals } from './interruption.js';
import { joinRedis, openRedis } from './open-redis.js';
import type { Reporter } from './reporter.js';
import { sweepCache } from '../stages/prune-cache.js';
import { runWorker } from './worker.js';

/** What a build needs besides its plan. */
export interface BuildOptions {
  readonly redisUrl: string | undefined;
  /** Compiled module whose default export is `runStage(registry)`. */
  readonly processorFile: URL;
  readonly reporter: Reporter;
}

/**
 * A whole build: lock, Redis, flow, and everything given back whatever happens, SIGINT and SIGTERM included. Answers
 * with the result of publish. Throws BuildRunningError, the errors of openRedis, of runBuildFlow, InterruptedError.
 */
export async function runBuild(plan: FlowPlan, options: BuildOptions): Promise<unknown> {
  const { redisUrl, processorFile, reporter } = options;
  const { outputDir, concurrency } = plan.settings;
  const log = (line: string): void => {
    reporter.line(line);
  };
  const lock = acquireBuildLock(outputDir);
  const signals = listenForSignals();
  try {
    // Nobody else builds now, so what is unfinished belongs to runs that were killed.
    await sweep(outputDir);
    await sweepCache(outputDir);
    const redis = await openRedis({ redisUrl, outputDir, log });
    try {
      const onEvent = reporter.event.bind(reporter);
      return await runBuildFlow(redis, plan, {
        processorFile,
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

/** `make worker`: helps the build that runs, until it ends or a signal comes. Throws RedisUnreachableError, RedisLostError. */
export async function runJoinedWorker(
  where: { readonly outputDir: string; readonly concurrency: number },
  { redisUrl, processorFile, reporter }: BuildOptions,
): Promise<void> {
  const log = (line: string): void => {
    reporter.line(line);
  };
  const signals = listenForSignals();
  try {
    const redis = await joinRedis({ redisUrl, outputDir: where.outputDir });
    try {
      const { concurrency } = where;
      await runWorker(redis, { processorFile, concurrency, log, signal: signals.signal });
    } finally {
      await redis.stop();
    }
  } finally {
    reporter.close();
    signals.dispose();
  }
}

/** Exit code for what a build threw. */
export function exitCodeOf(error: unknown): number {
  return error instanceof InterruptedError ? error.exitCode : 1;
}
