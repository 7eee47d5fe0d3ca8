import assert from 'node:assert';
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
}

/** A job with the jobs that it depends on. */
export interface PlannedJob {
  /** `phases`: the job does nothing but run its phases. */
  readonly kind: JobKind | 'phases';
  /** `fetch:geolite2`, `gazetteer`, `publish`. */
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
  readonly children: readonly PlannedJob[];
  /**
   * Jobs that start when all children are done, phase by phase. A tree cannot express them, because each depends on all
   * children. They receive the results of the children and of earlier phases.
   */
  readonly phases?: readonly (readonly PlannedJob[])[];
  /** Names of children whose results the job passes on to its parent. */
  readonly handsOn?: readonly string[];
  /** Starts only when no other job is waiting. */
  readonly isPatient?: true;
}

/**
 * The number of parts in which the address space is merged. It is the same on all machines, so that they find each
 * other's parts; the bytes of the databases do not depend on it.
 */
export const MERGE_PARTS = 8;

/**
 * Plans the jobs of a build: publish < compile:geo < its phases < (ingest:<feed> < fetch:<feed>)… and gazetteer <
 * fetch:gazetteer.
 * With routing sources also publish < compile:routing < (ingest:<source> < fetch:<source>)…. These come first, because
 * a RIB takes longer than any feed.
 *
 * With lists: publish < compile:isp < compile:geo, compile:routing and (ingest:<list> < fetch:<list>)…. compile:isp
 * uses the results of the other two and passes them on to publish. Lists are short and wait for a free thread.
 */
export function planJobs({ settings }: Pick<FlowPlan, 'settings'>): PlannedJob {
  const { feeds, sources, lists } = settings;
  const geo = compileJob('geo', [geoPhases(feeds)]);
  const made = sources.length === 0 ? [geo] : [compileJob('routing', sources.map(ingestJob)), geo];
  const isp = {
    ...compileJob('isp', [...made, ...lists.map(listJob)]),
    handsOn: made.map(({ name }) => name),
  };
  const children = lists.length === 0 ? made : [isp];
  return { kind: 'publish', name: 'publish', input: {}, children };
}

/** Returns the names of all jobs that do something, children before their parents. */
export function jobNames(job: PlannedJob): string[] {
  const phases = (job.phases ?? []).flat();
  return [...job.children.flatMap(jobNames), ...phases.map(({ name }) => name), ...ownName(job)];
}

/** Returns the names of the jobs that run in every build: phases are skipped if nothing has changed. */
export function requiredJobNames(job: PlannedJob): string[] {
  return [...job.children.flatMap(requiredJobNames), ...ownName(job)];
}

function ownName({ kind, name }: PlannedJob): string[] {
  return kind === 'phases' ? [] : [name];
}

/** Returns the tree for BullMQ. Job ids contain the run's id, so messages of earlier runs match no job of this one. */
export function flowTree(plan: FlowPlan, run: Run): FlowJob {
  return toFlowJob(planJobs(plan), plan, run);
}

/** Returns the id of a job. BullMQ does not allow a colon in ids. */
export const jobId = (runId: string, name: string): string => `${runId}.${name.replaceAll(':', '.')}`;

function compileJob(dataset: Dataset, children: readonly PlannedJob[]): PlannedJob {
  return { kind: 'compile', name: `compile:${dataset}`, input: { dataset }, children };
}

/**
 * The phases of the geolocation datasets: is there anything to do; the claims and verdicts of each feed; the merge, in
 * parts of the address space, and the score; the merged files.
 */
function geoPhases(feeds: readonly string[]): PlannedJob {
  const parts = String(MERGE_PARTS);
  const merges = Array.from({ length: MERGE_PARTS }, (_, i) => {
    return phaseJob('merge', `${i + 1}-of-${parts}`, { part: String(i + 1), parts });
  });
  const phases = [
    [phaseJob('find', 'geo', {})],
    feeds.map((feed) => phaseJob('verdicts', feed, { feed })),
    [...merges, phaseJob('score', 'geo', {})],
    ['served', 'download'].map((edition) => phaseJob('write', edition, { edition, parts })),
  ];
  const children = [...feeds.map(ingestJob), gazetteerJob()];
  return { kind: 'phases', name: 'phases:geo', input: {}, children, phases };
}

function phaseJob(kind: JobKind, subject: string, input: PlannedJob['input']): PlannedJob {
  return { kind, name: `${kind}:${subject}`, input, children: [] };
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

/** The run that jobs belong to, and the prefix of its keys. */
interface Run {
  readonly id: string;
  readonly prefix: string;
}

function toFlowJob(job: PlannedJob, plan: FlowPlan, run: Run): FlowJob {
  const { name, phases } = job;
  const children = job.children.map((child) => toFlowJob(child, plan, run));
  // `runPhases` adds the jobs of the phases to their queues as they are here.
  const data = phases
    ? { phases: phases.map((phase) => phase.map((one) => toFlowJob(one, plan, run))) }
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

function payloadOf({ kind, input, handsOn }: PlannedJob, { settings }: FlowPlan): JobPayload {
  assert(kind !== 'phases', 'a job without phases');
  return {
    kind,
    input: { ...input },
    settings: jobSettingsOf(settings),
    ...(handsOn && { handsOn: [...handsOn] }),
  };
}

function queueOf({ kind }: PlannedJob): string {
  if (kind === 'phases') return PHASES_QUEUE;
  return kind === 'fetch' || kind === 'publish' ? HOME_QUEUE : QUEUE;
}

function optionsOf({ name, isPatient }: PlannedJob, plan: FlowPlan, run: Run): NonNullable<FlowJob['opts']> {
  return {
    jobId: jobId(run.id, name),
    attempts: plan.attempts ?? 3,
    backoff: { type: TRANSIENT_BACKOFF, delay: plan.backoffMs ?? 2000 },
    // BullMQ runs jobs without a priority before those with one.
    ...(isPatient && { priority: 1 }),
    ...(name === 'publish' ? {} : { failParentOnFailure: true }),
  };
}
