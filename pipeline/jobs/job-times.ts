import { Stopwatch } from './expected-times.js';
import type { Reporter } from './reporter.js';

/** How long each finished job of a build took, in seconds. */
export type JobSeconds = Readonly<Record<string, number>>;

/** Wraps a reporter so that it also measures the jobs. A job that started again counts from its last start. */
export function timedReporter(reporter: Reporter): {
  readonly reporter: Reporter;
  seconds: () => JobSeconds;
} {
  const stopwatch = new Stopwatch(Date.now);
  return {
    reporter: {
      planned: reporter.planned.bind(reporter),
      line: reporter.line.bind(reporter),
      close: reporter.close.bind(reporter),
      event: (event) => {
        stopwatch.event(event);
        reporter.event(event);
      },
    },
    seconds: () =>
      Object.fromEntries(
        Object.entries(stopwatch.times().jobs).map(([job, ms]) => [job, Math.round(ms / 100) / 10]),
      ),
  };
}
