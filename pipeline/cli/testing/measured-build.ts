import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Time and memory of a whole build. */
export interface MeasuredBuild {
  readonly seconds: number;
  /** Peak memory of the process in MB of 10^6 bytes; absent if the system does not report it. */
  readonly peakMb: number | undefined;
  /** Jobs in the order in which they started. */
  readonly jobs: readonly MeasuredJob[];
}

/** Time and rows of one job. Jobs run in parallel, so their seconds do not add up to those of the build. */
export interface MeasuredJob {
  readonly job: string;
  readonly seconds: number;
  /** Number of rows read; absent for a job that reads none. */
  readonly rows: number | undefined;
}

/** Runs `ipatlas build` in its own process. Throws an error with its output if it publishes nothing. */
export async function measureBuild(settings: Readonly<Record<string, string>>): Promise<MeasuredBuild> {
  const start = performance.now();
  const child = spawn(process.execPath, [MAIN, 'build', '--json'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  let peakMb: number | undefined;
  const watch = setInterval(() => (peakMb = peakMbOf(child.pid!) ?? peakMb), WATCH_MS);
  const events: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) events.push(line);
  const [code] = (await ended) as [number | null];
  clearInterval(watch);
  const seconds = (performance.now() - start) / 1000;
  if (code === 0 || code === PUBLISHED_WITH_REFUSALS) return { seconds, peakMb, jobs: jobsIn(events) };
  throw new Error(`the build ended with ${String(code)}:\n${events.slice(-20).join('\n')}`);
}

/** Returns the jobs in the events that `build --json` prints. */
export function jobsIn(lines: readonly string[]): MeasuredJob[] {
  const started = new Map<string, number>();
  const rows = new Map<string, number>();
  const ended = new Map<string, number>();
  for (const line of lines) {
    const event = JSON.parse(line) as { time: string; event: string; job?: string; rows?: number };
    const { job } = event;
    if (job === undefined) continue;
    const ms = Date.parse(event.time);
    if (event.event === 'started' && !started.has(job)) started.set(job, ms);
    if (event.event === 'done') ended.set(job, ms);
    if (event.rows !== undefined) rows.set(job, event.rows);
  }
  return [...started].map(([job, ms]) => ({
    job,
    seconds: ((ended.get(job) ?? ms) - ms) / 1000,
    rows: rows.get(job),
  }));
}

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));
const WATCH_MS = 200;
/** A release was published, but a feed was refused. */
const PUBLISHED_WITH_REFUSALS = 3;

/** Returns the peak memory of a process (proc(5), Linux); undefined if it has ended. */
function peakMbOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
