import { MultiBar, type SingleBar } from 'cli-progress';
import { printable } from '../text/printable.js';
import type { Reporter } from './reporter.js';
import { barLine, nextView, plainText, type JobView } from './progress-text.js';

/** Shows a bar per job in starting order. Other lines scroll above the bars. */
export function barReporter(stream: NodeJS.WritableStream, now: () => number): Reporter {
  const views = new Map<string, JobView>();
  const bars = new Map<string, SingleBar>();
  const multiBar = new MultiBar({
    stream,
    hideCursor: true,
    // The build handles signals and closes this reporter.
    gracefulExit: false,
    format: (_options, _params, { job }: { job: string }) => barLine(views.get(job)!, now()),
  });
  return {
    event: (event) => {
      const view = nextView(views.get(event.job), event, now());
      views.set(event.job, view);
      const bar = bars.get(event.job) ?? multiBar.create(1, 0, { job: event.job });
      bars.set(event.job, bar);
      if (event.type === 'done' || event.type === 'failed') bar.update(1);
      if (event.type === 'log' || event.type === 'retrying' || event.type === 'failed') {
        multiBar.log(`${event.job}: ${plainText(event, view, now())}\n`);
      }
    },
    line: (text) => {
      multiBar.log(`${printable(text)}\n`);
    },
    close: () => {
      // Only a redraw flushes its log buffer.
      multiBar.update();
      multiBar.stop();
    },
  };
}
