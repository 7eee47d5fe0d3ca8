import { WaitingChildrenError, Worker, type Job, type Queue } from 'bullmq';
import { z } from 'zod';
import { jobPayloadSchema } from '../stage/stage.js';
import { PHASES_QUEUE } from './flow-plan.js';
import type { OpenRedis } from './open-redis.js';
import { childResults } from './run-stage.js';

/** A job of a phase, as it is added to its queue. */
const phaseJobSchema = z.object({
  name: z.string(),
  queueName: z.string(),
  data: jobPayloadSchema,
  opts: z.looseObject({ jobId: z.string() }),
});

/** The payload of a job with phases. */
const phasesPayloadSchema = z.strictObject({ phases: z.array(z.array(phaseJobSchema)) });

/** A result with which the remaining phases do not run. */
const skippingSchema = z.looseObject({ skipsRest: z.literal(true) });

/**
 * Starts the worker for jobs with phases. Such a job adds the jobs of its next phase as children of itself and waits for
 * them, until all phases are done; it then passes on all results. Jobs of a tree have one parent, so a job that others
 * depend on cannot be a child of each of them. The worker needs no thread: the work is in the children.
 */
export function startPhases(redis: OpenRedis, queues: readonly Queue[]): Worker {
  const { connection, prefix } = redis;
  const worker = new Worker(PHASES_QUEUE, (job, token) => runPhases(job, { token: token!, queues }), {
    connection,
    prefix,
    concurrency: CONCURRENCY,
    runRetryDelay: 1000,
  });
  // A lost Redis is reported once by `redis.lost`.
  worker.on('error', () => undefined);
  return worker;
}

const CONCURRENCY = 16;

interface Running {
  readonly token: string;
  /** The queues of the build. */
  readonly queues: readonly Queue[];
}

async function runPhases(job: Job, { token, queues }: Running): Promise<unknown> {
  const { phases } = phasesPayloadSchema.parse(job.data);
  const parent = { id: job.id!, queue: job.queueQualifiedName };
  for (const phase of phases) {
    const given = await childResults(job);
    if (Object.values(given).some((result) => skippingSchema.safeParse(result).success)) break;
    for (const { name, queueName, data, opts } of phase) {
      if (name in given) continue;
      await queues
        .find((queue) => queue.name === queueName)!
        .add(name, { ...data, given }, { ...opts, parent });
    }
    // It is false if the jobs of the phase are done already. Otherwise the job starts again when they are.
    if (await job.moveToWaitingChildren(token)) throw new WaitingChildrenError();
  }
  return { job: job.name, beside: await childResults(job) };
}
