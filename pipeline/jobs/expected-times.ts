import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { absentIfMissing } from '../release/missing.js';
import type { JobEvent } from './job-events.js';
import { parseJson } from '../text/parse-json.js';

const timesSchema = z.strictObject({
  /** Time of each job in ms. */
  jobs: z.record(z.string(), z.number().nonnegative()),
  /** Mean number of jobs that ran at the same time. */
  parallel: z.number().min(1),
});

/** How long the jobs of earlier builds took: the basis of the time left. */
export type JobTimes = Readonly<z.infer<typeof timesSchema>>;

/** Unchanged jobs take almost no time, so an estimate falls by at most 10 % a night. */
const DECAY = 0.9;

/** Returns the times of earlier builds of an output folder; absent without any, and if the file is damaged. */
export async function readJobTimes(outputDir: string): Promise<JobTimes | undefined> {
  const text = await absentIfMissing(readFile(pathOf(outputDir), 'utf8'));
  if (text === undefined) return undefined;
  const times = timesSchema.safeParse(parseJson(text));
  return times.success ? times.data : undefined;
}

/** Writes the times of a finished build over those of earlier ones. */
export async function writeJobTimes(
  outputDir: string,
  { last, measured }: { readonly last: JobTimes | undefined; readonly measured: JobTimes },
): Promise<void> {
  const path = pathOf(outputDir);
  // A build without new inputs leaves jobs out: their times remain.
  const names = new Set([...Object.keys(last?.jobs ?? {}), ...Object.keys(measured.jobs)]);
  const timeOf = (job: string): number =>
    Math.round(Math.max(measured.jobs[job] ?? 0, DECAY * (last?.jobs[job] ?? 0)));
  const jobs = Object.fromEntries([...names].map((job) => [job, timeOf(job)]));
  const isFull = last === undefined || sumOf(measured) >= sumOf(last) / 2;
  const { parallel } = isFull ? measured : last;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.tmp`, JSON.stringify({ jobs, parallel } satisfies JobTimes));
  await rename(`${path}.tmp`, path);
}

/** Measures the jobs of a build by their events. */
export class Stopwatch {
  private readonly startedMs = new Map<string, number>();
  readonly jobs: Record<string, number> = {};
  private readonly beganMs: number;

  constructor(private readonly now: () => number) {
    this.beganMs = now();
  }

  event({ type, job }: Pick<JobEvent, 'type' | 'job'>): void {
    const nowMs = this.now();
    if (type === 'started') this.startedMs.set(job, nowMs);
    if (type === 'done') this.jobs[job] = nowMs - (this.startedMs.get(job) ?? nowMs);
  }

  /** Returns the times so far. */
  times(): JobTimes {
    const workMs = sumOf(this);
    const tookMs = this.now() - this.beganMs;
    return { jobs: { ...this.jobs }, parallel: tookMs > 0 ? Math.max(1, workMs / tookMs) : 1 };
  }
}

function sumOf({ jobs }: Pick<JobTimes, 'jobs'>): number {
  return Object.values(jobs).reduce((sum, ms) => sum + ms, 0);
}

function pathOf(outputDir: string): string {
  return join(outputDir, 'cache', 'job-times.json');
}
