import assert from 'node:assert';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { FlowJob } from 'bullmq';
import { jobSettingsOf, type BuildSettings, type Place } from '../stage/settings.js';
import type { JobPayload } from '../stage/stage.js';
import { jobPriorities, type TimesByJob } from './job-order.js';
import { planJobs, type PlannedJob } from './planned-jobs.js';

/** The name of the queue of jobs that any worker may run. */
export const QUEUE = 'build';
/**
 * The name of the queue of jobs that only the machine that started the build may run: it has the publishers' files, their
 * keys and the releases.
 */
export const HOME_QUEUE = 'home';
/** The name of the queue of jobs that only start others, see `phases.ts`. They run where the build was started. */
export const PHASES_QUEUE = 'phases';
/** All queues of a build. */
export const QUEUES = [HOME_QUEUE, QUEUE, PHASES_QUEUE] as const;
/** The name of the back-off for transient errors. */
export const TRANSIENT_BACKOFF = 'transient';

/**
 * Returns the prefix of all keys of a store's builds, or of an output directory's builds without a store, so several of
 * them can share a Redis. The braces keep all keys in one slot of a Redis Cluster.
 */
export function queuePrefix({ outputDir, store }: Pick<Place, 'outputDir' | 'store'>): string {
  const name = store?.url ?? resolve(outputDir);
  return `{ipatlas-${createHash('sha256').update(name).digest('hex').slice(0, 8)}}`;
}

/** The settings of a build and its retries. */
export interface FlowPlan {
  readonly settings: BuildSettings;
  /** Number of tries of a job that fails with TransientError; 3 by default. */
  readonly attempts?: number;
  /** Wait before the second try in ms; doubles with each further one. 2 s by default. */
  readonly backoffMs?: number;
  /** Times of jobs in earlier builds, from which the order of the jobs follows. */
  readonly times?: TimesByJob | undefined;
}

/** Returns the tree for BullMQ. Job ids contain the run's id, so messages of earlier runs match no job of this one. */
export function flowTree(plan: FlowPlan, run: Run): FlowJob {
  const { settings, times } = plan;
  const publish = planJobs(settings);
  const priorities = jobPriorities(publish, { times, concurrency: settings.concurrency });
  return toFlowJob(publish, plan, { ...run, priorities });
}

/** Returns the id of a job. BullMQ does not allow a colon in ids. */
export const jobId = (runId: string, name: string): string => `${runId}.${name.replaceAll(':', '.')}`;

/** The run that jobs belong to, and the prefix of its keys. */
interface Run {
  readonly id: string;
  readonly prefix: string;
}

interface OrderedRun extends Run {
  readonly priorities: ReadonlyMap<string, number>;
}

function toFlowJob(job: PlannedJob, plan: FlowPlan, run: OrderedRun): FlowJob {
  const { name, phases, awaits = [] } = job;
  const children = job.children.map((child) => toFlowJob(child, plan, run));
  // `runPhases` adds the jobs of the phases to their queues as they are here.
  const data = phases
    ? {
        phases: phases.map((phase) => phase.map((one) => toFlowJob(one, plan, run))),
        awaits: awaits.map((other) => jobId(run.id, other)),
      }
    : payloadOf(job, plan);
  return {
    name,
    queueName: queueOf(job),
    prefix: run.prefix,
    data,
    opts: optionsOf(job, plan, run),
    ...(children.length > 0 && { children }),
  };
}

function payloadOf({ kind, input }: PlannedJob, { settings }: FlowPlan): JobPayload {
  assert(kind !== 'phases', 'a job without phases');
  return {
    kind,
    input: { ...input },
    settings: jobSettingsOf(settings),
  };
}

/** Jobs that read the publishers' files or the releases of the output folder. */
const HOME_KINDS: ReadonlySet<PlannedJob['kind']> = new Set(['fetch', 'changes', 'publish']);

function queueOf({ kind }: PlannedJob): string {
  if (kind === 'phases') return PHASES_QUEUE;
  return HOME_KINDS.has(kind) ? HOME_QUEUE : QUEUE;
}

function optionsOf({ name }: PlannedJob, plan: FlowPlan, run: OrderedRun): NonNullable<FlowJob['opts']> {
  return {
    jobId: jobId(run.id, name),
    attempts: plan.attempts ?? 3,
    backoff: { type: TRANSIENT_BACKOFF, delay: plan.backoffMs ?? 2000 },
    // Without it, BullMQ runs the job first whose children ended last.
    priority: run.priorities.get(name)!,
    ...(name === 'publish' ? {} : { failParentOnFailure: true }),
  };
}
