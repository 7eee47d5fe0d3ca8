import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { FlowJob } from 'bullmq';
import type { Dataset } from '../release/contract.js';
import { jobSettingsOf, type BuildSettings, type Place } from '../stage/settings.js';
import type { JobKind, JobPayload } from '../stage/stage.js';

/** The name of the queue of jobs that any worker may run. */
export const QUEUE = 'build';
/**
 * The name of the queue of jobs that only the machine that started the build may run: it has the publishers' files, their
 * keys and the releases.
 */
export const HOME_QUEUE = 'home';
/** All queues of a build. */
export const QUEUES = [HOME_QUEUE, QUEUE] as const;
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
}

/** A job with the jobs that it depends on. */
export interface PlannedJob {
  readonly kind: JobKind;
  /** `fetch:geolite2`, `gazetteer`, `publish`. */
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
  readonly children: readonly PlannedJob[];
  /** Names of children whose results the job passes on to its parent. */
  readonly handsOn?: readonly string[];
  /** Starts only when no other job is waiting. */
  readonly isPatient?: true;
}

/**
 * Plans the jobs of a build: publish < compile:geo < (ingest:<feed> < fetch:<feed>)… and gazetteer < fetch:gazetteer.
 * With routing sources also publish < compile:routing < (ingest:<source> < fetch:<source>)…. These come first, because
 * a RIB takes longer than any feed.
 *
 * With lists: publish < compile:isp < compile:geo, compile:routing and (ingest:<list> < fetch:<list>)…. compile:isp
 * uses the results of the other two and passes them on to publish. Lists are short and wait for a free thread.
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

/** Returns the names of all jobs, children before their parents. */
export function jobNames(job: PlannedJob): string[] {
  return [...job.children.flatMap(jobNames), job.name];
}

/** Returns the tree for BullMQ. Job ids contain the run's id, so messages of earlier runs match no job of this one. */
export function flowTree(plan: FlowPlan, run: { readonly id: string; readonly prefix: string }): FlowJob {
  return toFlowJob(planJobs(plan), plan, run);
}

/** Returns the id of a job. BullMQ does not allow a colon in ids. */
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
    settings: jobSettingsOf(plan.settings),
    ...(handsOn && { handsOn: [...handsOn] }),
  };
  return {
    name: job.name,
    queueName: kind === 'fetch' || kind === 'publish' ? HOME_QUEUE : QUEUE,
    prefix: run.prefix,
    data: payload,
    opts: {
      jobId: jobId(run.id, job.name),
      attempts: plan.attempts ?? 3,
      backoff: { type: TRANSIENT_BACKOFF, delay: plan.backoffMs ?? 2000 },
      // BullMQ runs jobs without a priority before those with one.
      ...(job.isPatient && { priority: 1 }),
      ...(job.name === 'publish' ? {} : { failParentOnFailure: true }),
    },
    ...(job.children.length === 0
      ? {}
      : { children: job.children.map((child) => toFlowJob(child, plan, run)) }),
  };
}
