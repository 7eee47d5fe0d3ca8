import type { GeoEdition } from '../datasets/geo-inputs.js';
import type { DeltaDataset } from '../publish/kept-delta.js';
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
  /** Whether a job may find that the jobs of the phases have nothing to do. */
  readonly maySkip?: true;
  /** Names of other jobs with phases whose results the jobs of the phases receive too. The first phase waits for them. */
  readonly awaits?: readonly string[];
}

/**
 * The number of parts in which the address space is merged. It is the same on all machines, so that they find each
 * other's parts; the bytes of the databases do not depend on it.
 */
export const MERGE_PARTS = 8;

/**
 * Plans the jobs of a build: publish < compile:geo < its phases < verdicts < (ingest:<feed> < fetch:<feed>)… and
 * gazetteer < fetch:gazetteer.
 * With routing sources also publish < compile:routing < (ingest:<source> < fetch:<source>)….
 *
 * With lists: publish < compile:isp < the verdicts, compile:routing and (ingest:<list> < fetch:<list>)…. compile:isp
 * does not need the merged files, so it runs beside the merges. `jobPriorities` orders the jobs.
 *
 * changes:<dataset> follows the job that writes the dataset's file for download, beside the other jobs.
 */
export function planJobs({ feeds, sources, lists }: PlannedSources): PlannedJob {
  const geo = compileJob('geo', [geoPhases(feeds)]);
  const routing = sources.length === 0 ? [] : [compileJob('routing', sources.map(ingestJob))];
  const others = lists.length === 0 ? routing.map(asnPhases) : [ispPhases(routing, lists)];
  return { kind: 'publish', name: 'publish', input: {}, children: [...others, geo] };
}

/** Returns the names of all jobs that do something, children before their parents. */
export function jobNames(job: PlannedJob): string[] {
  return [...job.children, ...(job.phases ?? []).flat()].flatMap(jobNames).concat(ownName(job));
}

/** Returns the names of the jobs that run in every build: some phases are skipped if nothing has changed. */
export function requiredJobNames(job: PlannedJob): string[] {
  const phases = job.maySkip ? [] : (job.phases ?? []).flat();
  return [...job.children, ...phases].flatMap(requiredJobNames).concat(ownName(job));
}

function ownName({ kind, name }: PlannedJob): string[] {
  return kind === 'phases' ? [] : [name];
}

function compileJob(dataset: Dataset, children: readonly PlannedJob[]): PlannedJob {
  return { kind: 'compile', name: `compile:${dataset}`, input: { dataset }, children };
}

/** The changes of the routing datasets, without ISP datasets. */
function asnPhases(routing: PlannedJob): PlannedJob {
  return phasesJob('asn', [routing], [[changesJob('asn')]]);
}

/**
 * The ISP datasets, which are made from the lists, the routing datasets and the verdicts, beside the changes of the
 * routing datasets; then their own changes.
 */
function ispPhases(routing: readonly PlannedJob[], lists: readonly string[]): PlannedJob {
  const children = [...routing, ...lists.map(ingestJob)];
  const phases = [[compileJob('isp', []), ...routing.map(() => changesJob('asn'))], [changesJob('isp')]];
  return { ...phasesJob('isp', children, phases), awaits: [VERDICTS] };
}

function changesJob(dataset: DeltaDataset): PlannedJob {
  return phaseJob('changes', dataset, { dataset });
}

const VERDICTS = 'phases:verdicts';

/** The phases of the verdicts: is there anything to do; the claims and verdicts of each feed. */
function verdictPhases(feeds: readonly string[]): PlannedJob {
  const phases = [[phaseJob('find', 'geo', {})], feeds.map((feed) => phaseJob('verdicts', feed, { feed }))];
  return { ...phasesJob('verdicts', [...feeds.map(ingestJob), gazetteerJob()], phases), maySkip: true };
}

/**
 * The phases of the geolocation datasets: the merge, in parts of the address space, and the score; the merged files. The
 * changes of the file for download do not wait for the other one.
 */
function geoPhases(feeds: readonly string[]): PlannedJob {
  const parts = String(MERGE_PARTS);
  const merges = Array.from({ length: MERGE_PARTS }, (_, i) => {
    return phaseJob('merge', `${i + 1}-of-${parts}`, { part: String(i + 1), parts });
  });
  const write = (edition: GeoEdition) => phaseJob('write', edition, { edition, parts });
  const phases = [
    [...merges, phaseJob('score', 'geo', {})],
    [write('served'), phasesJob('download', [], [[write('download')], [changesJob('geo')]])],
  ];
  return { ...phasesJob('geo', [verdictPhases(feeds)], phases), maySkip: true };
}

function phasesJob(
  subject: string,
  children: readonly PlannedJob[],
  phases: readonly (readonly PlannedJob[])[],
): PlannedJob {
  return { kind: 'phases', name: `phases:${subject}`, input: {}, children, phases };
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
