import { Worker, type SandboxedJob } from 'bullmq';
import { QUEUE, TRANSIENT_BACKOFF } from './flow-plan.js';
import type { Place } from '../stage/settings.js';
import { cacheSize, limitCache } from './limit-cache.js';
import type { OpenRedis } from './open-redis.js';
import { SandboxThreads } from './sandbox-threads.js';

/** How often a job may lose its worker. Each further worker that takes it would end the same way. */
const MAX_STALLED = 3;

/** The part of a job that `runStage` uses, in a thread or in this process. */
export type StageJob = Pick<
  SandboxedJob,
  'name' | 'data' | 'opts' | 'attemptsMade' | 'updateProgress' | 'getChildrenValues'
>;

/**
 * A processor: a compiled module with `runStage(registry, placeOfThread())` as default export (for threads), or a function
 * that returns such a function for the worker's place.
 */
export type JobProcessor = URL | ((place: Place) => (job: StageJob) => Promise<unknown>);

/** The options of a worker. */
export interface WorkerOptions {
  readonly processor: JobProcessor;
  /** Number of parallel jobs, each in its own thread. */
  readonly concurrency: number;
  /** The folders and the store of this machine. */
  readonly place: Place;
  readonly log: (line: string) => void;
}

/** A running worker. */
export interface RunningWorker {
  readonly worker: Worker;
  /** Takes no new jobs and waits for the running ones. */
  finish(): Promise<void>;
  /** Terminates the threads at once. */
  abort(): Promise<void>;
}

/** Starts a worker for a queue. Each job runs in a sandboxed thread unless the processor is a function. */
export function startWorker(redis: OpenRedis, queue: string, options: WorkerOptions): RunningWorker {
  const { processor, place } = options;
  const worker = new Worker(queue, processor instanceof URL ? processor : processor(place), {
    connection: redis.connection,
    prefix: redis.prefix,
    concurrency: options.concurrency,
    useWorkerThreads: true,
    // BullMQ would pass on node's arguments, but threads reject many, such as --max-old-space-size.
    // Millions of rows and records outlive a nursery of the usual size, and would be copied again and again.
    workerThreadsOptions: {
      workerData: place,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 256 },
    },
    // The jobs of a killed worker are given to another one after at most 30 s.
    lockDuration: 20_000,
    stalledInterval: 10_000,
    maxStalledCount: MAX_STALLED,
    // Sleep of its loops after a lost connection. The process cannot end earlier.
    runRetryDelay: 1000,
    settings: { backoffStrategy },
  });
  // A lost Redis is reported once by `redis.lost`. Errors of the other connections would only hide that line.
  worker.on('error', () => undefined);
  const threads = processor instanceof URL ? new SandboxThreads(worker, options.log) : undefined;
  return {
    worker,
    finish: async () => {
      await worker.close();
      await threads?.terminate();
    },
    abort: async () => {
      const closing = worker.close(true);
      await threads?.terminate();
      await closing;
    },
  };
}

/**
 * Works for builds of other processes until `signal` is aborted, then finishes the running jobs. Ends with a build that
 * has a private Redis. Throws RedisLostError when another Redis is lost.
 */
export async function runWorker(
  redis: OpenRedis,
  options: WorkerOptions & { readonly signal: AbortSignal; readonly cacheBytes: number },
): Promise<void> {
  const { signal, log, place } = options;
  const running = startWorker(redis, QUEUE, options);
  running.worker.on('active', (job) => {
    log(`${job.name}: started`);
  });
  running.worker.on('completed', (job) => {
    log(`${job.name}: done`);
  });
  running.worker.on('failed', (job, error) => {
    log(`${job?.name ?? 'a job'}: attempt failed: ${firstLine(error.message)}`);
  });
  if (place.store) keepCacheSmall(running.worker, place.outputDir, options);
  log(`waiting for jobs at ${redis.name}`);
  const stop = aborted(signal).then(async () => {
    log('stopping after the running jobs');
    await running.finish();
  });
  const lost = await Promise.race([redis.lost, stop]);
  if (lost === undefined) return;
  await running.abort();
  if (!redis.isPrivate) throw lost;
  log('the build and its Redis have ended');
}

/** Limits the cache of a worker with a store after each job, between jobs. */
function keepCacheSmall(
  worker: Worker,
  outputDir: string,
  { cacheBytes, log }: { readonly cacheBytes: number; readonly log: (line: string) => void },
): void {
  let last = Promise.resolve();
  const limit = async (): Promise<void> => {
    if (worker.closing !== undefined || (await cacheSize(outputDir)) <= cacheBytes) return;
    await worker.pause();
    try {
      const removed = await limitCache(outputDir, cacheBytes);
      if (removed > 0) log(`the cache was larger than CACHE_GB: ${removed} entries were removed`);
    } finally {
      void worker.resume();
    }
  };
  const next = (): void => {
    last = last.then(limit).catch((error: unknown) => {
      log(`the cache was not limited: ${error instanceof Error ? error.message : String(error)}`);
    });
  };
  worker.on('completed', next);
  worker.on('failed', next);
}

/**
 * Returns the wait before the next try in ms, or -1 for no further try. Only a TransientError is retried: bad input and
 * the end of a thread are not.
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
