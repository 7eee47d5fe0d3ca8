import { Job, QueueEvents, WaitingChildrenError, Worker, type Queue } from 'bullmq';
import { z } from 'zod';
import { PHASES_QUEUE } from './flow-plan.js';
import type { OpenRedis } from './open-redis.js';
import { childResults, resultsOf } from './run-stage.js';

/** A job of a phase, as it is added to its queue. */
const phaseJobSchema = z.object({
  name: z.string(),
  queueName: z.string(),
  data: z.looseObject({}),
  opts: z.looseObject({ jobId: z.string() }),
});

/** The payload of a job with phases. */
const phasesPayloadSchema = z.strictObject({
  phases: z.array(z.array(phaseJobSchema)),
  /** Ids of other jobs with phases. Their results are passed to the jobs of the phases. */
  awaits: z.array(z.string()),
  /** Results of earlier jobs, if the job belongs to a phase itself. */
  given: z.record(z.string(), z.unknown()).exactOptional(),
  /** The number of phases whose jobs were added. */
  added: z.int().nonnegative().exactOptional(),
});

/** A result with which the remaining phases do not run. */
const skippingSchema = z.looseObject({ skipsRest: z.literal(true) });

/**
 * Starts the worker for jobs with phases. Such a job adds the jobs of its next phase as children of itself and waits for
 * them, until all phases are done; it then passes on all results. Jobs of a tree have one parent, so a job that others
 * depend on cannot be a child of each of them. The worker needs no thread: the work is in the children.
 */
export function startPhases(redis: OpenRedis, queues: readonly Queue[]): PhasesWorker {
  const { connection, prefix } = redis;
  const events = new QueueEvents(PHASES_QUEUE, { connection, prefix, blockingTimeout: 1000 });
  const worker = new Worker(PHASES_QUEUE, (job, token) => runPhases(job, { token: token!, queues, events }), {
    connection,
    prefix,
    concurrency: CONCURRENCY,
    runRetryDelay: 1000,
  });
  // A lost Redis is reported once by `redis.lost`.
  worker.on('error', () => undefined);
  events.on('error', () => undefined);
  return {
    close: async () => {
      await Promise.all([worker.close(true), events.close()]);
    },
  };
}

/** A running worker for jobs with phases. */
export interface PhasesWorker {
  close(): Promise<void>;
}

const CONCURRENCY = 16;

interface Running {
  readonly token: string;
  /** The queues of the build. */
  readonly queues: readonly Queue[];
  readonly events: QueueEvents;
}

async function runPhases(job: Job, { token, queues, events }: Running): Promise<unknown> {
  const { phases, awaits, given = {}, added = 0 } = phasesPayloadSchema.parse(job.data);
  const parent = { id: job.id!, queue: job.queueQualifiedName };
  const queueOf = (name: string): Queue => queues.find((queue) => queue.name === name)!;
  const before = { ...given, ...(await resultsOfOthers(awaits, queueOf(PHASES_QUEUE), events)) };
  for (let next = added; next < phases.length; next++) {
    const own = await childResults(job);
    if (Object.values(own).some((result) => skippingSchema.safeParse(result).success)) break;
    for (const { name, queueName, data, opts } of phases[next]!) {
      await queueOf(queueName).add(name, { ...data, given: { ...before, ...own } }, { ...opts, parent });
    }
    await job.updateData({ ...(job.data as object), added: next + 1 });
    // It is false if the jobs of the phase are done already. Otherwise the job starts again when they are.
    if (await job.moveToWaitingChildren(token)) throw new WaitingChildrenError();
  }
  return { job: job.name, beside: await childResults(job) };
}

/** Waits for other jobs with phases and returns their results by job name. Rejects if one fails. */
async function resultsOfOthers(
  ids: readonly string[],
  queue: Queue,
  events: QueueEvents,
): Promise<Record<string, unknown>> {
  const returned: unknown[] = [];
  for (const id of ids) {
    const other = await Job.fromId(queue, id);
    if (!other) throw new Error(`the job ${id} does not exist`);
    returned.push(await other.waitUntilFinished(events));
  }
  return resultsOf(returned);
}
