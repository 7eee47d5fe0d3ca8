import { randomBytes } from 'node:crypto';
import { FlowProducer, Queue } from 'bullmq';
import { placeOf } from '../stage/settings.js';
import { flowTree, HOME_QUEUE, QUEUE, QUEUES, type FlowPlan } from './flow-plan.js';
import { jobNames, planJobs, requiredJobNames } from './planned-jobs.js';
import { listenToJobs, type JobEvent, type JobEventSink } from './job-events.js';
import type { OpenRedis } from './open-redis.js';
import { startPhases } from './phases.js';
import { startWorker, type WorkerOptions } from './worker.js';

/** The options of a run. */
export interface FlowOptions extends Omit<WorkerOptions, 'place'> {
  readonly onEvent: (event: JobEvent) => void;
  /** Aborting it ends the run, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Runs fetch > ingest > compile > publish with a worker in this process, beside other workers that have joined, and
 * returns the result of publish. Rejects with JobFailedError as soon as a job has failed for good, with RedisLostError,
 * or with the reason of `signal`. All threads have ended by then. The caller holds the build lock.
 */
export async function runBuildFlow(redis: OpenRedis, plan: FlowPlan, options: FlowOptions): Promise<unknown> {
  const flow = new Flow(redis, options);
  try {
    return await Promise.race([flow.run(plan), rejectWhenLost(redis), rejectWhenAborted(options.signal)]);
  } finally {
    await flow.close();
  }
}

/** Time limit of one cleanup step when Redis does not respond. */
const TIDY_MS = 2000;

/** A resource of a run. */
interface Opened {
  close(): Promise<unknown>;
  /** Closes without a command to Redis. `close` is used when absent. */
  drop?(): Promise<unknown>;
}

/** One run and its resources. A `run` that continues after `close` stops. */
class Flow {
  private readonly queues: readonly Queue[];
  private readonly opened: Opened[] = [];
  private closed = false;
  private redisLost = false;

  constructor(
    private readonly redis: OpenRedis,
    private readonly options: FlowOptions,
  ) {
    void redis.lost.then(() => (this.redisLost = true));
    this.queues = QUEUES.map(
      (name) => new Queue(name, { connection: redis.connection, prefix: redis.prefix }),
    );
    for (const queue of this.queues) {
      queue.on('error', ignore);
      this.opened.push({ close: () => queue.close(), drop: () => queue.disconnect() });
    }
    // Other workers must not continue a build that has ended or failed.
    this.opened.push({ close: () => this.clear(), drop: () => Promise.resolve() });
  }

  async run(plan: FlowPlan): Promise<unknown> {
    // Drops the jobs of a killed run. Its finished work is found again on disk by content when the jobs run again;
    // Redis holds nothing that a build needs.
    await this.clear();
    this.assertOpen();
    const planned = planJobs(plan.settings);
    const run = { id: randomBytes(4).toString('hex'), jobs: jobNames(planned) };
    const outcome = new Outcome(requiredJobNames(planned), this.options.onEvent);
    const events = listenToJobs(this.redis, run, outcome);
    this.opened.push(events);
    await events.ready;
    this.assertOpen();
    const producer = new FlowProducer({ connection: this.redis.connection, prefix: this.redis.prefix });
    producer.on('error', ignore);
    this.opened.push({ close: () => producer.close(), drop: () => producer.disconnect() });
    await producer.add(flowTree(plan, { id: run.id, prefix: this.redis.prefix }));
    this.assertOpen();
    const place = placeOf(plan.settings);
    const phases = startPhases(this.redis, this.queues);
    this.opened.push(phases);
    for (const queue of [HOME_QUEUE, QUEUE]) {
      const worker = startWorker(this.redis, queue, { ...this.options, place });
      this.opened.push({ close: () => worker.abort() });
    }
    const result = await outcome.result;
    await within(TIDY_MS, outcome.allDone);
    return result;
  }

  /** Closes in reverse order: the worker first, the queue last. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.redisLost) {
      const dropping = this.opened.map((opened) => opened.drop?.() ?? opened.close());
      await within(TIDY_MS, Promise.allSettled(dropping));
      return;
    }
    for (const opened of this.opened.reverse()) await within(TIDY_MS, opened.close());
  }

  /** Drops all jobs. */
  private async clear(): Promise<void> {
    // When a child is removed, its parent in another queue is ready to run: publish is removed last.
    for (const queue of [...this.queues, this.queues[0]!]) await queue.obliterate({ force: true });
  }

  /** Throws after `close`: no further resource may be opened. */
  private assertOpen(): void {
    if (this.closed) throw new Error('the build has ended');
  }
}

/** Derives the result of a run from its events. */
class Outcome implements JobEventSink {
  readonly result: Promise<unknown>;
  /** Resolves when every job has ended. The queues have streams of their own, so publish may be the first that is known. */
  readonly allDone: Promise<void>;
  private readonly pending: Set<string>;
  private resolveAll!: () => void;
  private resolve!: (result: unknown) => void;
  private reject!: (error: Error) => void;
  private failed = false;

  constructor(
    jobs: readonly string[],
    private readonly onEvent: (event: JobEvent) => void,
  ) {
    this.pending = new Set(jobs);
    this.allDone = new Promise((resolve) => {
      this.resolveAll = resolve;
    });
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // It may reject before it is awaited.
    this.result.catch(ignore);
  }

  event(event: JobEvent): void {
    // The parents of a failed job fail too. Their events are ignored.
    if (this.failed) return;
    this.onEvent(event);
    if (event.type === 'failed') this.broken(event.error);
    if (event.type !== 'done') return;
    this.pending.delete(event.job);
    if (event.job === 'publish') this.resolve(event.result);
    if (this.pending.size === 0) this.resolveAll();
  }

  broken(error: Error): void {
    this.failed = true;
    this.reject(error);
  }
}

async function rejectWhenLost(redis: OpenRedis): Promise<never> {
  throw await redis.lost;
}

function rejectWhenAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.throwIfAborted();
    signal?.addEventListener(
      'abort',
      () => {
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}

/** Awaits a cleanup step up to a time limit. Its failure does not change the outcome of the run. */
async function within(timeMs: number, step: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, timeMs)));
  await Promise.race([step.catch(ignore), timeout]);
  clearTimeout(timer);
}

/** Handles BullMQ's error events. A lost Redis is reported once by `redis.lost`. */
function ignore(): void {
  // Nothing to do.
}
