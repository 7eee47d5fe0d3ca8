import { Worker } from 'bullmq';
import { QUEUE, TRANSIENT_BACKOFF } from './flow-plan.js';
import type { OpenRedis } from './open-redis.js';
import { SandboxThreads } from './sandbox-threads.js';

/** How a worker works. */
export interface WorkerOptions {
  /** Compiled module whose default export is `runStage(registry)`. */
  readonly processorFile: URL;
  /** Jobs at the same time, each in a thread of its own. */
  readonly concurrency: number;
  readonly log: (line: string) => void;
}

/** A worker that takes jobs until it is stopped. */
export interface RunningWorker {
  readonly worker: Worker;
  /** Takes no further job and waits for those at work. */
  finish(): Promise<void>;
  /** Ends the threads where they stand. */
  abort(): Promise<void>;
}

/** Starts taking jobs of the build queue, every one in a sandboxed thread. */
export function startWorker(redis: OpenRedis, options: WorkerOptions): RunningWorker {
  const worker = new Worker(QUEUE, options.processorFile, {
    connection: redis.connection,
    prefix: redis.prefix,
    concurrency: options.concurrency,
    useWorkerThreads: true,
    // BullMQ would hand on node's own arguments, and threads refuse many, --max-old-space-size for one.
    // Millions of rows and records outlive a nursery of the usual size, and would be copied again and again.
    workerThreadsOptions: { execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: 256 } },
    // How long its loops sleep after a lost connection; the process cannot end before they wake.
    runRetryDelay: 1000,
    settings: { backoffStrategy },
  });
  // Redis that is gone shows in `redis.lost`, once. Its echo from every connection would only bury that line.
  worker.on('error', () => undefined);
  const threads = new SandboxThreads(worker, options.log);
  return {
    worker,
    finish: async () => {
      await worker.close();
      await threads.terminate();
    },
    abort: async () => {
      const closing = worker.close(true);
      await threads.terminate();
      await closing;
    },
  };
}

/**
 * Runs as a worker of another process's build until `signal` is aborted, then finishes the jobs at work. Ends with a
 * build that has a private Redis; throws RedisLostError where any other goes away.
 */
export async function runWorker(
  redis: OpenRedis,
  options: WorkerOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { signal, log } = options;
  const running = startWorker(redis, options);
  running.worker.on('active', (job) => {
    log(`${job.name}: started`);
  });
  running.worker.on('completed', (job) => {
    log(`${job.name}: done`);
  });
  running.worker.on('failed', (job, error) => {
    log(`${job?.name ?? 'a job'}: attempt failed: ${firstLine(error.message)}`);
  });
  log(`waiting for jobs at ${redis.name}`);
  const stop = aborted(signal).then(async () => {
    log('stopping: the jobs at work are finished first');
    await running.finish();
  });
  const lost = await Promise.race([redis.lost, stop]);
  if (lost === undefined) return;
  await running.abort();
  if (!redis.isPrivate) throw lost;
  log('the build has ended, and its Redis with it');
}

/**
 * Wait before the next try in ms, or -1 for none: a job is tried again after TransientError only, so neither bad input
 * nor a thread that died is.
 */
function backoffStrategy(
  attemptsMade: number,
  type?: string,
  error?: Error,
  job?: { opts: JobBackoff },
): number {
  if (type !== TRANSIENT_BACKOFF || error?.name !== 'TransientError') return -1;
  const backoff = job?.opts.backoff;
  const firstMs = typeof backoff === 'object' ? (backoff.delay ?? 0) : 0;
  return firstMs * 2 ** (attemptsMade - 1);
}

interface JobBackoff {
  readonly backoff?: number | { readonly delay?: number };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
  });
}
