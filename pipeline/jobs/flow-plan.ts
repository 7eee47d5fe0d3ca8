import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { FlowJob } from 'bullmq';
import type { Dataset } from '../release/contract.js';
import type { BuildSettings } from '../stages/settings.js';
import type { JobKind, JobPayload } from '../stages/stage.js';

/** Name of the queue of all builds. */
export const QUEUE = 'build';
/** Name of the back-off of transient errors. */
export const TRANSIENT_BACKOFF = 'transient';

/**
 * Prefix of every key of an output directory's builds: two directories share a Redis without meeting. The braces
 * keep all keys in one slot of a Redis Cluster.
 */
export function queuePrefix(outputDir: string): string {
  return `{ipatlas-${createHash('sha256').update(resolve(outputDir)).digest('hex').slice(0, 8)}}`;
}

/** What to build and how often to try. */
export interface FlowPlan {
  readonly settings: BuildSettings;
  /** Tries of a job that fails with TransientError; 3 by default. */
  readonly attempts?: number;
  /** Wait before the second try; doubles with every further one. 2 s by default. */
  readonly backoffMs?: number;
}

/** A job of a plan with the jobs whose results it needs. */
export interface PlannedJob {
  readonly kind: JobKind;
  /** `fetch:geolite2`, `gazetteer`, `publish`. */
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
  readonly children: readonly PlannedJob[];
  /** Names of children whose results the job's parent needs as well. */
  readonly handsOn?: readonly string[];
  /** Begun when no other job is waiting. */
  readonly isPatient?: true;
}

/**
 * publish < compile:geo < (ingest:<feed> < fetch:<feed>)… and gazetteer < fetch:gazetteer, and beside it
 * publish < compile:routing < (ingest:<source> < fetch:<source>)…, where there are any such sources. Those come first:
 * a RIB takes longer than any feed, and what is begun last should not be what all wait for.
 *
 * Where there are lists, publish < compile:isp < compile:geo, compile:routing and (ingest:<list> < fetch:<list>)…: it is
 * made of what the others have made, whose results it hands on to publish. Lists are short: they wait for a free thread.
 */
export function planJobs({ settings }: Pick<FlowPlan, 'settings'>): PlannedJob {
  const { feeds, sources, lists } = settings;
  const geo = compileJob('geo', [...feeds.map(ingestJob), gazetteerJob()]);
  const made = sources.length === 0 ? [geo] : [compileJob('routing', sources.map(ingestJob)), geo];
  const isp = {
    ...compileJob('isp', [...made, ...lists.map(listJob)]),
    handsOn: made.map(({ name }) => name),
  };
  const children = lists.length === 0 ? made : [isp];
  return { kind: 'publish', name: 'publish', input: {}, children };
}

/** Names of all jobs, children before their parents. */
export function jobNames(job: PlannedJob): string[] {
  return [...job.children.flatMap(jobNames), job.name];
}

/** The tree as BullMQ takes it. Ids are the run's: a message of an earlier run's job names no job of this one. */
export function flowTree(plan: FlowPlan, run: { readonly id: string; readonly prefix: string }): FlowJob {
  return toFlowJob(planJobs(plan), plan, run);
}

/** BullMQ allows no colon in an id. */
export const jobId = (runId: string, name: string): string => `${runId}.${name.replaceAll(':', '.')}`;

function compileJob(dataset: Dataset, children: readonly PlannedJob[]): PlannedJob {
  return { kind: 'compile', name: `compile:${dataset}`, input: { dataset }, children };
}

function ingestJob(source: string): PlannedJob {
  return { kind: 'ingest', name: `ingest:${source}`, input: { source }, children: [fetchJob(source)] };
}

function listJob(list: string): PlannedJob {
  const patient = (job: PlannedJob): PlannedJob => {
    return { ...job, children: job.children.map(patient), isPatient: true };
  };
  return patient(ingestJob(list));
}

function gazetteerJob(): PlannedJob {
  return { kind: 'gazetteer', name: 'gazetteer', input: {}, children: [fetchJob('gazetteer')] };
}

function fetchJob(source: string): PlannedJob {
  return { kind: 'fetch', name: `fetch:${source}`, input: { source }, children: [] };
}

function toFlowJob(
  job: PlannedJob,
  plan: FlowPlan,
  run: { readonly id: string; readonly prefix: string },
): FlowJob {
  const { kind, input, handsOn } = job;
  const payload: JobPayload = {
    kind,
    input: { ...input },
    settings: plan.settings,
    ...(handsOn && { handsOn: [...handsOn] }),
  };
  return {
    name: job.name,
    queueName: QUEUE,
    prefix: run.prefix,
    data: payload,
    opts: {
      jobId: jobId(run.id, job.name),
      attempts: plan.attempts ?? 3,
      backoff: { type: TRANSIENT_BACKOFF, delay: plan.backoffMs ?? 2000 },
      // BullMQ: a job without a number goes before those with one.
      ...(job.isPatient && { priority: 1 }),
      ...(job.name === 'publish' ? {} : { failParentOnFailure: true }),
    },
    ...(job.children.length === 0
      ? {}
      : { children: job.children.map((child) => toFlowJob(child, plan, run)) }),
  };
}
