import { Writable } from 'node:stream';
import t from 'tap';
import type { JobEvent } from './job-events.js';
import { barReporter } from './progress-bars.js';
import { chooseReporter, jsonReporter, plainReporter } from './progress.js';
import { barLine, plainFigures, sharePercent, type JobView } from './progress-text.js';
import { throttleProgress } from './progress-throttle.js';
import { JobFailedError } from './stage-failure.js';
import type { StageProgress } from '../stage/stage.js';

const job = 'ingest:own';
const failed: JobEvent = {
  type: 'failed',
  job,
  error: new JobFailedError(job, 'TypeError: no', 'at x.js:1'),
};

/** Collects a reporter's output, with a clock that the test sets. */
const record = () => {
  const clock = { ms: Date.UTC(2026, 0, 2, 3, 4, 5) };
  const lines: string[] = [];
  return { clock, lines, output: { write: (text: string) => lines.push(text), now: () => clock.ms } };
};

t.test('plain lines show the start, progress every five seconds, log lines and totals', (t) => {
  const { clock, lines, output } = record();
  const reporter = plainReporter({ ...output, write: (text) => void output.write(text) });
  const at = (ms: number, event: JobEvent): void => {
    clock.ms += ms;
    reporter.event(event);
  };
  const rows = (n: number, extra: StageProgress = {}): JobEvent => ({
    type: 'progress',
    job,
    progress: { rows: n, rejected: 1, ...extra },
  });
  at(0, { type: 'started', job });
  at(4999, rows(100));
  at(1, rows(2000, { bytesDone: 1, bytesTotal: 3, text: 'unpacking' }));
  at(1000, rows(3000));
  at(0, { type: 'log', job, line: 'one file is old' });
  at(4000, rows(4000));
  at(1000, rows(5000));
  at(1000, { type: 'retrying', job, reason: 'reset' });
  at(500, { type: 'started', job });
  at(2000, rows(6000));
  at(0, { type: 'done', job, result: {} });
  reporter.event(failed);
  reporter.line('bye');
  reporter.close();
  t.strictSame(lines.join('').split('\n'), [
    'ingest:own: started',
    'ingest:own: 33 %, unpacking, 2,000 rows, 400 rows/s, 1 rejected, 5.0 s',
    'ingest:own: one file is old',
    'ingest:own: 5,000 rows, 455 rows/s, 1 rejected, 11.0 s',
    'ingest:own: retrying: reset',
    'ingest:own: started',
    'ingest:own: done: 6,000 rows, 3,000 rows/s, 1 rejected, 2.0 s',
    'ingest:own: failed: TypeError: no',
    'bye',
    '',
  ]);
  t.end();
});

t.test('NDJSON has one object per event, with its time', (t) => {
  const { lines, output } = record();
  const reporter = jsonReporter({ ...output, write: (text) => void output.write(text) });
  reporter.event({ type: 'started', job });
  reporter.event({ type: 'progress', job, progress: { rows: 5 } });
  reporter.event({ type: 'log', job, line: 'a\nb' });
  reporter.event({ type: 'retrying', job, reason: 'reset' });
  reporter.event(failed);
  reporter.line('bye');
  reporter.close();
  const time = '2026-01-02T03:04:05.000Z';
  t.strictSame(
    lines.map((line) => JSON.parse(line) as unknown),
    [
      { time, event: 'started', job },
      { time, event: 'progress', job, rows: 5 },
      { time, event: 'log', job, line: 'a\nb' },
      { time, event: 'retrying', job, reason: 'reset' },
      { time, event: 'failed', job, reason: 'TypeError: no', at: 'at x.js:1' },
      { time, event: 'line', text: 'bye' },
    ],
  );
  t.ok(lines.every((line) => line.endsWith('}\n')));
  t.end();
});

t.test('the bar of a job shows its progress and its figures', (t) => {
  const view: JobView = { job: 'ingest:geolite2', startedMs: 1000, progress: {} };
  const empty = '░'.repeat(20);
  t.equal(barLine(view, 3500), `ingest:geolite2       ${empty}        2.5 s`, 'nothing known');
  const half = { ...view, progress: { bytesDone: 50, bytesTotal: 100, rows: 1_200_000, rejected: 3 } };
  t.equal(
    barLine(half, 4000),
    `ingest:geolite2       ${'█'.repeat(10)}${'░'.repeat(10)}  50 %  1,200,000 rows  400,000 rows/s  3 rejected  3.0 s`,
  );
  t.match(
    barLine({ ...half, endedMs: 5000, outcome: 'done' }, 99_000),
    /█{20} 100 % .* 300,000 rows\/s .* 4\.0 s$/,
  );
  t.match(barLine({ ...half, endedMs: 5000, outcome: 'failed' }, 99_000), /4\.0 s {2}failed$/);
  t.end();
});

t.test('limits of shares and rates', (t) => {
  t.equal(sharePercent({ bytesDone: 1 }), undefined);
  t.equal(sharePercent({ bytesDone: 0, bytesTotal: 0 }), undefined);
  t.equal(sharePercent({ bytesDone: 999, bytesTotal: 1000 }), 99, 'never 100 before the end');
  t.equal(sharePercent({ bytesDone: 7, bytesTotal: 5 }), 100);
  t.equal(
    plainFigures({ job, startedMs: 5, progress: { rows: 9 } }, 5),
    '9 rows, 0 rejected, 0.0 s',
    'no rate without elapsed time',
  );
  t.end();
});

t.test('a terminal shows a bar per job, with log lines above the bars', (t) => {
  let text = '';
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  const terminal = Object.assign(stream, {
    isTTY: true,
    columns: 200,
    cursorTo: () => true,
    moveCursor: () => true,
    clearLine: () => true,
    clearScreenDown: () => true,
  });
  let nowMs = 0;
  const reporter = barReporter(terminal, () => nowMs);
  reporter.event({ type: 'started', job });
  reporter.event({ type: 'started', job: 'fetch:geolite2' });
  nowMs = 2000;
  reporter.event({ type: 'progress', job, progress: { rows: 10, rejected: 4 } });
  reporter.event({ type: 'log', job, line: 'one file is old' });
  reporter.event({ type: 'done', job, result: {} });
  reporter.line('bye');
  reporter.close();
  t.match(text, /ingest:own .*100 %  10 rows  5 rows\/s  4 rejected  2\.0 s/);
  t.match(text, /fetch:geolite2 /);
  t.match(text, 'ingest:own: one file is old\n');
  t.match(text, 'bye\n');
  t.end();
});

t.test('the output without a terminal is plain lines, or JSON on request', (t) => {
  const lines: string[] = [];
  const stream = { isTTY: false, write: (text: string) => lines.push(text) } as unknown as NodeJS.WriteStream;
  chooseReporter({ json: false, stream }).line('plain');
  chooseReporter({ json: true, stream }).line('json');
  t.equal(lines[0], 'plain\n');
  t.match(lines[1], /^\{"time":.*"text":"json"\}\n$/);
  t.end();
});

t.test('of many reports few are passed on, each with all fields so far, and always the last one', (t) => {
  let nowMs = 0;
  const sent: StageProgress[] = [];
  const { progress, flush } = throttleProgress(
    (p) => sent.push(p),
    () => nowMs,
  );
  progress({ bytesTotal: 9 });
  for (nowMs = 1; nowMs < 600; nowMs++) progress({ rows: nowMs });
  flush();
  flush();
  t.strictSame(sent, [
    { bytesTotal: 9 },
    { bytesTotal: 9, rows: 250 },
    { bytesTotal: 9, rows: 500 },
    { bytesTotal: 9, rows: 599 },
  ]);
  t.end();
});
