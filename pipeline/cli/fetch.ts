import type { DownloadResult } from '../fetch/download.js';
import type { PlannedDownload } from '../fetch/download-plan.js';
import type { ReadVariable } from '../fetch/secrets.js';
import { listenForSignals, type InterruptedError } from '../jobs/interruption.js';
import type { Reporter } from '../jobs/reporter.js';
import { JobFailedError } from '../jobs/stage-failure.js';
import { throttleProgress, type ThrottledProgress } from '../jobs/progress-throttle.js';
import { alignColumns } from '../release/columns.js';
import { downloadsDir, downloadSources } from '../snapshot/download-source.js';
import type { LiveSettings } from '../stage/settings.js';
import { printableLines } from '../text/printable.js';

/** The sources to download, and the folder to download to. */
export interface FetchRun {
  readonly sources: readonly string[];
  readonly outputDir: string;
  readonly live: LiveSettings;
  readonly readVariable: ReadVariable;
  readonly reporter: Reporter;
}

/** The results of the downloads. */
export interface FetchReport {
  readonly dir: string;
  readonly results: readonly DownloadResult[];
  /** The summary for people. */
  readonly text: string;
  readonly exitCode: number;
}

/** Exit code when some downloads failed, but files or last good copies are available. */
export const EXIT_NOT_ALL = 3;

/** Downloads the files that are due, without Redis and without a build. Throws InterruptedError. */
export async function fetchSources(run: FetchRun): Promise<FetchReport> {
  const { sources, outputDir, live, readVariable, reporter } = run;
  const signals = listenForSignals();
  try {
    const night = { ...live, readVariable, watcher: watcherFor(reporter) };
    const { results } = await Promise.race([
      downloadSources(sources, outputDir, night),
      untilAborted(signals.signal),
    ]);
    const dir = downloadsDir(outputDir);
    return { dir, results, text: describeResults(results, dir), exitCode: exitCodeOf(results) };
  } finally {
    reporter.close();
    signals.dispose();
  }
}

/** Rejects on a signal. The next run resumes unfinished downloads. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as InterruptedError);
    });
  });
}

/** 0 when no download failed (a skipped one did not fail), 1 when there is no file at all, else EXIT_NOT_ALL. */
function exitCodeOf(results: readonly DownloadResult[]): number {
  if (!results.some(({ outcome }) => outcome === 'failed')) return 0;
  return results.some(({ copy }) => copy !== undefined) ? EXIT_NOT_ALL : 1;
}

/** Reports downloads like the jobs of a build. */
function watcherFor(reporter: Reporter) {
  const sinks = new Map<string, ThrottledProgress>();
  const sinkOf = (job: string): ThrottledProgress => {
    const known =
      sinks.get(job) ??
      throttleProgress((progress) => {
        reporter.event({ type: 'progress', job, progress });
      }, Date.now);
    sinks.set(job, known);
    return known;
  };
  return {
    started: ({ id }: PlannedDownload) => {
      reporter.event({ type: 'started', job: id });
    },
    bytes: ({ id }: PlannedDownload, bytesDone: number, bytesTotal = 0) => {
      const megabytes = (bytesDone / 1e6).toFixed(1);
      sinkOf(id).progress({ bytesDone, bytesTotal, text: `${megabytes} MB` });
    },
    ended: ({ id }: PlannedDownload, result: DownloadResult) => {
      const text = describeResult(result);
      if (result.outcome === 'failed') {
        reporter.event({ type: 'failed', job: id, error: new JobFailedError(id, text, undefined) });
        return;
      }
      sinkOf(id).progress({ text });
      sinkOf(id).flush();
      reporter.event({ type: 'done', job: id, result });
    },
    counted: (id: string, done: number, total: number) => {
      sinkOf(id).progress({ text: `${done} of ${total}` });
    },
    summed: (result: DownloadResult) => {
      sinkOf(result.file).progress({ text: describeResult(result) });
      sinkOf(result.file).flush();
      reporter.event({ type: 'done', job: result.file, result });
    },
  };
}

function describeResult({ outcome, text, copy }: DownloadResult): string {
  const result = outcome === text ? text : `${outcome}: ${text}`;
  return outcome === 'downloaded' || outcome === 'unchanged' || !copy
    ? result
    : `${result}; keeping the copy of ${copy.fetched}`;
}

function describeResults(results: readonly DownloadResult[], dir: string): string {
  const rows = results.map((result) => [result.file, describeResult(result)]);
  const counts = (['downloaded', 'unchanged', 'skipped', 'failed'] as const).map(
    (outcome) => `${results.filter((result) => result.outcome === outcome).length} ${outcome}`,
  );
  return printableLines(['', ...alignColumns(rows, 2), counts.join(', '), `  ${dir}`]);
}
