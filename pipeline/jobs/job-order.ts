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
  const awaited = new Map<string, number>();
  // The first walk finds the ways of the jobs that wait for other branches of the tree.
  for (let walk = 0; walk < 2; walk++) addWays(publish, { after: 0, basis, ways, awaited });
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
  /** The longest way of the jobs that wait for a job of another branch, by its name. */
  readonly awaited: Map<string, number>;
}

function addWays(job: PlannedJob, walk: Walk): void {
  const way = addPhases(job, walk);
  for (const name of job.awaits ?? []) walk.awaited.set(name, way);
  for (const child of job.children) addWays(child, { ...walk, after: way });
}

/** Adds a job and its phases. Returns the time from its start to the end of the build. */
function addPhases(job: PlannedJob, walk: Walk): number {
  const { basis, ways, awaited } = walk;
  let way = Math.max(walk.after, awaited.get(job.name) ?? 0) + timeOf(job, basis);
  for (const phase of (job.phases ?? []).toReversed()) {
    const after = way;
    const times = phase.map((one) => addPhases(one, { ...walk, after }) - after);
    const work = times.reduce((sum, ms) => sum + ms, 0);
    way += Math.max(work / basis.concurrency, ...times);
  }
  ways.set(job.name, way);
  return way;
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
  // A first build has nothing to compare with.
  changes: 100,
  publish: 3000,
};
