import type { Reporter } from './reporter.js';

/** How long each finished job of a build took, in seconds. */
export type JobSeconds = Readonly<Record<string, number>>;

/** Wraps a reporter so that it also measures the jobs. A job that started again counts from its last start. */
export function timedReporter(reporter: Reporter): {
  readonly reporter: Reporter;
  seconds: () => JobSeconds;
} {
  const startedMs = new Map<string, number>();
  const seconds: Record<string, number> = {};
  const event: Reporter['event'] = (event) => {
    if (event.type === 'started') startedMs.set(event.job, Date.now());
    const started = startedMs.get(event.job);
    if (event.type === 'done' && started !== undefined)
      seconds[event.job] = Math.round((Date.now() - started) / 100) / 10;
    reporter.event(event);
  };
  return {
    reporter: {
      ...reporter,
      line: reporter.line.bind(reporter),
      close: reporter.close.bind(reporter),
      event,
    },
    seconds: () => ({ ...seconds }),
  };
}
