import { createLogUpdate } from 'log-update';
import { displayWidth, padRight } from '../text/display-width.js';
import { duration } from '../text/duration.js';
import { printable, printableLine } from '../text/printable.js';
import { BuildProgress } from './build-progress.js';
import { elapsed, figures, percent, plainText, shareOf, type JobView } from './progress-text.js';
import type { Reporter } from './reporter.js';

/** A terminal. Its size may change at any time. */
export type Terminal = NodeJS.WritableStream & {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
};

/** Least time between two redraws in ms. */
const REDRAW_MS = 100;
/** Interval of redraws without events, in ms: times go on. */
const TICK_MS = 500;
const BAR_CELLS = 20;
const NAME_CELLS = 24;

/**
 * Shows a block of lines that fits the terminal: the whole build, then the running jobs. It is redrawn in place. Other
 * lines scroll above it. It is removed at the end.
 */
export function blockReporter(terminal: Terminal, now: () => number): Reporter {
  const build = new BuildProgress(now);
  const update = createLogUpdate(terminal, { showCursor: true });
  let drawnMs = -Infinity;
  const draw = (): void => {
    drawnMs = now();
    update(block(build, sizeOf(terminal), now()).join('\n'));
  };
  const scroll = (text: string): void => {
    update.clear();
    terminal.write(`${text}\n`);
    draw();
  };
  const timer = setInterval(draw, TICK_MS).unref();
  return {
    planned: (plan) => {
      build.planned(plan);
    },
    event: (event) => {
      const view = build.event(event);
      if (event.type === 'log' || event.type === 'retrying' || event.type === 'failed') {
        scroll(`${event.job}: ${plainText(event, view, now())}`);
      } else if (now() - drawnMs >= REDRAW_MS) draw();
    },
    line: (text) => {
      scroll(printable(text));
    },
    close: () => {
      clearInterval(timer);
      update.clear();
      update.done();
    },
  };
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Returns the size of a terminal; 80 columns and 24 rows if it does not say. */
function sizeOf({ columns, rows }: Terminal): Size {
  return { columns: columns || 80, rows: rows || 24 };
}

/** Returns the lines of the block: fewer than the terminal has rows, none longer than its columns. */
export function block(build: BuildProgress, { columns, rows }: Size, nowMs: number): string[] {
  const running = build.running();
  // The cursor stands in the row below the block, and the line above it stays visible.
  const room = Math.max(0, rows - 3);
  const shown = running.length <= room ? running : running.slice(0, Math.max(0, room - 1));
  const hidden = running.length - shown.length;
  const lines = [
    buildLine(build, nowMs),
    ...shown.map((view) => jobLine(view, build.leftOf(view), nowMs)),
    ...(hidden > 0 && room > 0 ? [`  and ${hidden} more`] : []),
  ];
  return lines.map((line) => cut(line, columns - 1));
}

/** Formats the whole build: `build   37 %  ███████░░░░░░░░░░░░░  23 of 63 jobs  1 min 12 s  2 min 3 s left` */
function buildLine(build: BuildProgress, nowMs: number): string {
  const { done, of } = build.count();
  const tookMs = nowMs - build.startedMs;
  const share = build.share();
  const left = build.left();
  if (of === undefined || share === undefined) return `${done} done  ${duration(tookMs / 1000)}`;
  const full = Math.floor(share * BAR_CELLS);
  return [
    `build  ${percent(share).padStart(5)}`,
    `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}`,
    `${done} of ${of} jobs`,
    duration(tookMs / 1000),
    ...(left === undefined ? [] : [`${duration(left / 1000)} left`]),
  ].join('  ');
}

/** Formats a running job: `ingest:geolite2   45 %  12 s left  1,200,000 rows, 400,000 rows/s, 0 rejected` */
function jobLine(view: JobView, leftMs: number | undefined, nowMs: number): string {
  const tookMs = elapsed(view, nowMs);
  const share = shareOf(view.progress);
  return [
    padRight(cut(printableLine(view.job), NAME_CELLS), NAME_CELLS),
    (share === undefined ? '' : percent(share)).padStart(5),
    (leftMs === undefined ? duration(tookMs / 1000) : `${duration(leftMs / 1000)} left`).padStart(15),
    figures(view.progress, tookMs).join(', '),
  ]
    .join('  ')
    .trimEnd();
}

/** Cuts a text to a width in columns; `…` is its last character then. */
function cut(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  for (const character of text) {
    if (displayWidth(kept + character) > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
