import { printable, printableJson } from '../text/printable.js';
import { blockReporter, type Terminal } from './progress-block.js';
import type { JobEvent } from './job-events.js';
import type { Reporter } from './reporter.js';
import { nextView, plainText, type JobView } from './progress-text.js';

/** The output of a reporter and its clock in ms since 1970. */
export interface ReporterOutput {
  readonly write: (text: string) => void;
  readonly now: () => number;
}

/** Chooses a reporter: a block of lines on a terminal, plain lines elsewhere, NDJSON with `json`. */
export function chooseReporter(options: {
  readonly json: boolean;
  readonly stream: Terminal;
  /** Whether the lines of the stream can be redrawn. */
  readonly isTerminal: boolean;
}): Reporter {
  const { json, stream, isTerminal } = options;
  const output = { write: (text: string) => void stream.write(text), now: Date.now };
  if (json) return jsonReporter(output);
  return isTerminal ? blockReporter(stream, Date.now) : plainReporter(output);
}

/** Interval between two progress lines of a job. */
const PLAIN_INTERVAL_MS = 15_000;

/**
 * Writes a line when a job starts, a progress line about every 15 s, and a line with the totals. Each line begins with
 * the time in UTC: `2026-11-23T01:30:05Z ingest:own: started`.
 */
export function plainReporter({ write, now }: ReporterOutput): Reporter {
  const jobs = new Map<string, JobView>();
  const writtenMs = new Map<string, number>();
  const put = (text: string): void => {
    write(`${new Date(now()).toISOString().slice(0, 19)}Z ${text}\n`);
  };
  const say = (job: string, text: string): void => {
    writtenMs.set(job, now());
    put(`${job}: ${text}`);
  };
  return {
    event: (event) => {
      const view = nextView(jobs.get(event.job), event, now());
      jobs.set(event.job, view);
      const due = now() - (writtenMs.get(event.job) ?? 0) >= PLAIN_INTERVAL_MS;
      if (event.type === 'progress' && !due) return;
      say(event.job, plainText(event, view, now()));
    },
    planned: () => undefined,
    line: (text) => {
      put(printable(text));
    },
    close: () => undefined,
  };
}

/** Writes one JSON object per line: `{"time":"…","event":"progress","job":"ingest:own","rows":12,…}`. */
export function jsonReporter({ write, now }: ReporterOutput): Reporter {
  const put = (fields: object): void => {
    write(`${printableJson(JSON.stringify({ time: new Date(now()).toISOString(), ...fields }))}\n`);
  };
  return {
    event: (event) => {
      put({ event: event.type, job: event.job, ...jsonFields(event) });
    },
    planned: ({ jobs }) => {
      put({ event: 'planned', jobs });
    },
    line: (text) => {
      put({ event: 'line', text });
    },
    close: () => undefined,
  };
}

function jsonFields(event: JobEvent): object {
  switch (event.type) {
    case 'progress':
      return event.progress;
    case 'log':
      return { line: event.line };
    case 'retrying':
      return { reason: event.reason };
    case 'failed':
      return { reason: event.error.reason, at: event.error.at };
    default:
      return {};
  }
}
