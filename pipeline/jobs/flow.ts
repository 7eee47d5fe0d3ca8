import { randomBytes } from 'node:crypto';
import { FlowProducer, Queue } from 'bullmq';
import { flowTree, jobNames, planJobs, PREFIX, QUEUE, type FlowPlan } from './flow-plan.js';
import { listenToJobs, type JobEvent } from './job-events.js';
import type { OpenRedis } from './open-redis.js';
import { startWorker, type WorkerOptions } from './worker.js';

/** How a flow is run. */
export interface FlowOptions extends WorkerOptions {
  readonly onEvent: (event: JobEvent) => void;
  /** Aborted with an error, which the run then rejects with. */
  readonly signal?: AbortSignal;
}

/** How long the tidying at the end may take on a Redis that has stopped answering. */
const TIDY_MS = 3000;

/**
 * Runs fetch > ingest > compile > publish with a worker in this process, beside whatever other workers have joined,
 * and answers with the result of publish. Rejects with JobFailedError as soon as one job has failed for good, with
 * RedisLostError, or with the reason of `signal`; every thread has ended by then. The caller holds the build lock.
 */
export async function runBuildFlow(redis: OpenRedis, plan: FlowPlan, options: FlowOptions): Promise<unknown> {
  const queue = new Queue(QUEUE, { connection: redis.connection, prefix: PREFIX });
  queue.on('error', () => undefined);
  const outcome = new Outcome(redis, options.signal);
  try {
    return await outcome.or(runFlow(redis, plan, { ...options, queue, outcome }));
  } finally {
    // Other workers must not go on with a build that has ended.
    await within(TIDY_MS, outcome.redisLost ? undefined : queue.obliterate({ force: true }));
    await within(TIDY_MS, queue.close());
    outcome.dispose();
  }
}
