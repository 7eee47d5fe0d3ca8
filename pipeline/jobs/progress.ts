import { printable, printableJson } from '../text/printable.js';
import { barReporter } from './progress-bars.js';
import type { JobEvent } from './job-events.js';
import type { Reporter } from './reporter.js';
import { nextView, plainText, type JobView } from './progress-text.js';

/** The output of a reporter and its clock in ms since 1970. */
export interface ReporterOutput {
  readonly write: (text: string) => void;
  readonly now: () => number;
}

/** Chooses a reporter: bars on a terminal, plain lines elsewhere, NDJSON with `json`. */
export function chooseReporter(options: {
  json: boolean;
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean };
}): Reporter {
  const { json, stream } = options;
  const output = { write: (text: string) => void stream.write(text), now: Date.now };
  if (json) return jsonReporter(output);
  return stream.isTTY === true ? barReporter(stream, Date.now) : plainReporter(output);
}

/** Interval between two progress lines of a job. */
const PLAIN_INTERVAL_MS = 5000;

/** Writes a line when a job starts, a progress line about every 5 s, and a line with the totals. */
export function plainReporter({ write, now }: ReporterOutput): Reporter {
  const jobs = new Map<string, JobView>();
  const writtenMs = new Map<string, number>();
  const say = (job: string, text: string): void => {
    writtenMs.set(job, now());
    write(`${job}: ${text}\n`);
  };
  return {
    event: (event) => {
      const view = nextView(jobs.get(event.job), event, now());
      jobs.set(event.job, view);
      const due = now() - (writtenMs.get(event.job) ?? 0) >= PLAIN_INTERVAL_MS;
      if (event.type === 'progress' && !due) return;
      say(event.job, plainText(event, view, now()));
    },
    line: (text) => {
      write(`${printable(text)}\n`);
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
