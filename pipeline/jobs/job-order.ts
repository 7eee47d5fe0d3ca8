import type { PlannedJob } from './planned-jobs.js';

/** Time of a job in ms by its name, from earlier builds. */
export type TimesByJob = Readonly<Record<string, number>>;

/** What `jobPriorities` plans for. */
export interface OrderBasis {
  /** Absent before the first build. */
  readonly times?: TimesByJob | undefined;
  /** Number of jobs that run at the same time. */
  readonly concurrency: number;
}

/**
 * Returns a priority for each job of a build by its name; 1 is the most urgent. The job with the longest way to the end
 * of the build comes first (critical-path scheduling), so that no long job is left alone at the end. Times that are wrong
 * cost time, never a result.
 */
export function jobPriorities(publish: PlannedJob, basis: OrderBasis): ReadonlyMap<string, number> {
  const ways = new Map<string, number>();
  addWays(publish, { after: 0, basis, ways });
  // The sort is stable: jobs with equal ways keep the order of the plan.
  const longestFirst = [...ways].sort(([, a], [, b]) => b - a);
  return new Map(longestFirst.map(([name], i) => [name, i + 1]));
}

interface Walk {
  /** Time from the end of the job to the end of the build in ms. */
  readonly after: number;
  readonly basis: OrderBasis;
  /** Time from the start of each job to the end of the build in ms. */
  readonly ways: Map<string, number>;
}

function addWays(job: PlannedJob, walk: Walk): void {
  const { basis, ways } = walk;
  let way = walk.after + timeOf(job, basis);
  for (const phase of (job.phases ?? []).toReversed()) {
    const times = phase.map((one) => timeOf(one, basis));
    for (const [i, { name }] of phase.entries()) ways.set(name, way + times[i]!);
    const work = times.reduce((sum, ms) => sum + ms, 0);
    way += Math.max(work / basis.concurrency, ...times);
  }
  ways.set(job.name, way);
  for (const child of job.children) addWays(child, { ...walk, after: way });
}

function timeOf({ kind, name, input }: PlannedJob, { times }: OrderBasis): number {
  return times?.[name] ?? GUESSED_MS[name] ?? (kind === 'phases' ? 0 : guessedByKind(kind, input));
}

function guessedByKind(kind: Exclude<PlannedJob['kind'], 'phases'>, { source }: PlannedJob['input']): number {
  return kind === 'ingest' && LONG_FEEDS.has(source ?? '') ? LONG_FEED_MS : GUESSED_KIND_MS[kind];
}

/** Times for a first build, of jobs that take far longer than others of their kind. */
const GUESSED_MS: TimesByJob = {
  'ingest:rib': 60_000,
  'compile:routing': 30_000,
  'compile:isp': 20_000,
  'write:served': 40_000,
};

/** Feeds of millions of rows. */
const LONG_FEEDS: ReadonlySet<string> = new Set(['geolite2', 'dbip', 'ip2location', 'ipapi', 'ipinfo']);
const LONG_FEED_MS = 30_000;

const GUESSED_KIND_MS: Readonly<Record<Exclude<PlannedJob['kind'], 'phases'>, number>> = {
  fetch: 500,
  ingest: 1000,
  gazetteer: 2000,
  find: 100,
  verdicts: 5000,
  merge: 20_000,
  score: 10_000,
  write: 10_000,
  compile: 100,
  publish: 3000,
};
