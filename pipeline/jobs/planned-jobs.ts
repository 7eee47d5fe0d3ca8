import type { Dataset } from '../release/contract.js';
import type { BuildSettings } from '../stage/settings.js';
import type { JobKind } from '../stage/stage.js';

/** The sources of a build, which determine its jobs. */
export type PlannedSources = Pick<BuildSettings, 'feeds' | 'sources' | 'lists'>;

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
}

/**
 * The number of parts in which the address space is merged. It is the same on all machines, so that they find each
 * other's parts; the bytes of the databases do not depend on it.
 */
export const MERGE_PARTS = 8;

/**
 * Plans the jobs of a build: publish < compile:geo < its phases < (ingest:<feed> < fetch:<feed>)… and gazetteer <
 * fetch:gazetteer.
 * With routing sources also publish < compile:routing < (ingest:<source> < fetch:<source>)….
 *
 * With lists: publish < compile:isp < compile:geo, compile:routing and (ingest:<list> < fetch:<list>)…. compile:isp
 * uses the results of the other two and passes them on to publish. `jobPriorities` orders the jobs.
 */
export function planJobs({ feeds, sources, lists }: PlannedSources): PlannedJob {
  const geo = compileJob('geo', [geoPhases(feeds)]);
  const made = sources.length === 0 ? [geo] : [compileJob('routing', sources.map(ingestJob)), geo];
  const isp = {
    ...compileJob('isp', [...made, ...lists.map(ingestJob)]),
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

function gazetteerJob(): PlannedJob {
  return { kind: 'gazetteer', name: 'gazetteer', input: {}, children: [fetchJob('gazetteer')] };
}

function fetchJob(source: string): PlannedJob {
  return { kind: 'fetch', name: `fetch:${source}`, input: { source }, children: [] };
}
