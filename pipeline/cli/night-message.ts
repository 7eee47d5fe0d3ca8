import type { BuildReport } from './build.js';
import type { JobSeconds } from '../jobs/job-times.js';
import type { Notification } from '../notify/notification.js';
import { EXIT_HELD, EXIT_INCOMPLETE } from './exit-codes.js';

/** The end of a night, successful or not. */
export interface EndedNight {
  readonly exitCode: number;
  readonly startedMs: number;
  readonly endedMs: number;
  /** How long each job took. */
  readonly jobs: JobSeconds;
  /** Absent if the build failed. */
  readonly report?: BuildReport;
  /** The message of the error that ended the build. */
  readonly error?: string;
}

/** Refused files in a message; the others are only counted. */
const MOST_REFUSALS = 100;

/** Returns the notification about the end of a night. It names neither this machine nor its user. */
export function describeNight(night: EndedNight): Notification {
  const { exitCode, startedMs, endedMs, jobs, report, error } = night;
  const data = {
    exitCode,
    startedAt: new Date(startedMs).toISOString(),
    seconds: Math.round((endedMs - startedMs) / 100) / 10,
    jobs,
    ...(report && describeReport(report)),
    ...(error === undefined ? {} : { error }),
  };
  return { type: `build.${outcomeOf(night)}`, timestamp: new Date(endedMs).toISOString(), data };
}

function outcomeOf({ exitCode, report }: EndedNight): string {
  if (exitCode === EXIT_INCOMPLETE) return 'incomplete';
  if (exitCode === EXIT_HELD) return 'held';
  if (exitCode !== 0 || !report) return 'failed';
  return report.result.published ? 'published' : 'unchanged';
}

function describeReport({ result, manifest }: BuildReport) {
  const { id, published, refusals, keptIsp, held } = result;
  const refused = refusals.filter(({ refusal }) => refusal !== 'skipped');
  const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
  const files = manifest.inputs.flatMap(({ files }) => files);
  return {
    release: { id, published, ...(held === undefined ? {} : { held }) },
    counts: {
      accepted: total(files.map(({ accepted }) => accepted)),
      rejected: total(files.map(({ rejected }) => rejected)),
      refused: refused.length,
      files: manifest.files.length,
      bytes: total(manifest.files.map(({ sizeBytes }) => sizeBytes)),
    },
    refused: refused.slice(0, MOST_REFUSALS),
    ...(keptIsp === undefined ? {} : { keptIsp }),
  };
}
