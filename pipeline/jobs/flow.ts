import { randomBytes } from 'node:crypto';
import { FlowProducer, Queue } from 'bullmq';
import { flowTree, jobNames, planJobs, QUEUE, type FlowPlan } from './flow-plan.js';
import { listenToJobs, type JobEvent, type JobEventSink } from './job-events.js';
import type { OpenRedis } from './open-redis.js';
import { startWorker, type WorkerOptions } from './worker.js';

/** How a flow is run. */
export interface FlowOptions extends WorkerOptions {
  readonly onEvent: (event: JobEvent) => void;
  /** Aborted with an error, which the run then rejects with. */
  readonly signal?: AbortSignal;
}

/**
 * Runs fetch > ingest > compile > publish with a worker in this process, beside whatever other workers have joined,
 * and answers with the result of publish. Rejects with JobFailedError as soon as one job has failed for good, with
 * RedisLostError, or with the reason of `signal`; every thread has ended by then. The caller holds the build lock.
 */
export async function runBuildFlow(redis: OpenRedis, plan: FlowPlan, options: FlowOptions): Promise<unknown> {
  const flow = new Flow(redis, options);
  try {
    return await Promise.race([flow.run(plan), rejectWhenLost(redis), rejectWhenAborted(options.signal)]);
  } finally {
    await flow.close();
  }
}

/** How long one step of the tidying may take on a Redis that has stopped answering. */
const TIDY_MS = 2000;

/** Something that a run has opened. */
interface Opened {
  close(): Promise<unknown>;
  /** As close, without a word to Redis; the same where there is none. */
  drop?(): Promise<unknown>;
}

/** What a run has opened. A `run` that wakes up after `close` stops. */
class Flow {
  private readonly queue: Queue;
  private readonly opened: Opened[] = [];
  private closed = false;
  private redisLost = false;

  constructor(
    private readonly redis: OpenRedis,
    private readonly options: FlowOptions,
  ) {
    void redis.lost.then(() => (this.redisLost = true));
    this.queue = new Queue(QUEUE, { connection: redis.connection, prefix: redis.prefix });
    this.queue.on('error', ignore);
    this.opened.push({ close: () => this.queue.close(), drop: () => this.queue.disconnect() });
    // Other workers must not go on with a build that has ended, well or not.
    this.opened.push({ close: () => this.queue.obliterate({ force: true }), drop: () => Promise.resolve() });
  }

  async run(plan: FlowPlan): Promise<unknown> {
    // What a killed run has left in the queue is dropped, not continued. Its finished work is found again on disk,
    // by content, when the jobs run anew; Redis holds nothing that a build needs.
    await this.queue.obliterate({ force: true });
    this.assertOpen();
    const run = { id: randomBytes(4).toString('hex'), jobs: jobNames(planJobs(plan)) };
    const outcome = new Outcome(this.options.onEvent);
    const events = listenToJobs(this.redis, run, outcome);
    this.opened.push(events);
    await events.ready;
    this.assertOpen();
    const producer = new FlowProducer({ connection: this.redis.connection, prefix: this.redis.prefix });
    producer.on('error', ignore);
    this.opened.push({ close: () => producer.close(), drop: () => producer.disconnect() });
    await producer.add(flowTree(plan, { id: run.id, prefix: this.redis.prefix }));
    this.assertOpen();
    const worker = startWorker(this.redis, this.options);
    this.opened.push({ close: () => worker.abort() });
    return outcome.result;
  }

  /** In the reverse order of opening: the worker first, the queue last. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.redisLost) {
      const dropping = this.opened.map((opened) => opened.drop?.() ?? opened.close());
      await within(TIDY_MS, Promise.allSettled(dropping));
      return;
    }
    for (const opened of this.opened.reverse()) await within(TIDY_MS, opened.close());
  }

  /** What was opened before the last wait has been closed by now; nothing more may be opened. */
  private assertOpen(): void {
    if (this.closed) throw new Error('the build has ended');
  }
}

/** Turns the events of a run into its one end. */
class Outcome implements JobEventSink {
  readonly result: Promise<unknown>;
  private resolve!: (result: unknown) => void;
  private reject!: (error: Error) => void;
  private failed = false;

  constructor(private readonly onEvent: (event: JobEvent) => void) {
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // It may fail before anyone waits for it.
    this.result.catch(ignore);
  }

  event(event: JobEvent): void {
    // A failed job takes its parents along, each with an event of its own that says nothing new.
    if (this.failed) return;
    this.onEvent(event);
    if (event.type === 'failed') this.broken(event.error);
    if (event.type === 'done' && event.job === 'publish') this.resolve(event.result);
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

/** Waits for a step of the tidying, but not for ever; that it fails is of no interest to the run's outcome. */
async function within(timeMs: number, step: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, timeMs)));
  await Promise.race([step.catch(ignore), timeout]);
  clearTimeout(timer);
}

/** For BullMQ's error events: Redis that is gone shows in `redis.lost`, once. */
function ignore(): void {
  // Nothing to do.
}
