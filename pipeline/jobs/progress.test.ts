import t from 'tap';
import type { JobEvent } from './job-events.js';
import { chooseReporter, jsonReporter, plainReporter } from './progress.js';
import { percent, plainFigures, shareOf } from './progress-text.js';
import { throttleProgress } from './progress-throttle.js';
import { JobFailedError } from './stage-failure.js';
import type { StageProgress } from '../stage/stage.js';
import { duration } from '../text/duration.js';

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

t.test('plain lines show the time, the start, progress every 15 s, log lines and totals', (t) => {
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
  reporter.planned({ jobs: [job] });
  at(0, { type: 'started', job });
  at(14_999, rows(100));
  at(1, rows(6000, { bytesDone: 1, bytesTotal: 3, text: 'unpacking' }));
  at(1000, rows(7000));
  at(0, { type: 'log', job, line: 'one file is old' });
  at(14_000, rows(8000));
  at(1000, rows(9000));
  at(1000, { type: 'retrying', job, reason: 'reset' });
  at(500, { type: 'started', job });
  at(2000, rows(6000));
  at(0, { type: 'done', job, result: {} });
  reporter.event(failed);
  reporter.line('bye');
  reporter.close();
  t.strictSame(lines.join('').split('\n'), [
    '2026-01-02T03:04:05Z ingest:own: started',
    '2026-01-02T03:04:20Z ingest:own: 33 %, unpacking, 6,000 rows, 400 rows/s, 1 rejected, 15.0 s',
    '2026-01-02T03:04:21Z ingest:own: one file is old',
    '2026-01-02T03:04:36Z ingest:own: 9,000 rows, 290 rows/s, 1 rejected, 31.0 s',
    '2026-01-02T03:04:37Z ingest:own: retrying: reset',
    '2026-01-02T03:04:37Z ingest:own: started',
    '2026-01-02T03:04:39Z ingest:own: done: 6,000 rows, 3,000 rows/s, 1 rejected, 2.0 s',
    '2026-01-02T03:04:39Z ingest:own: failed: TypeError: no',
    '2026-01-02T03:04:39Z bye',
    '',
  ]);
  t.end();
});

t.test('NDJSON has one object per event, with its time', (t) => {
  const { lines, output } = record();
  const reporter = jsonReporter({ ...output, write: (text) => void output.write(text) });
  reporter.planned({ jobs: [job] });
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
      { time, event: 'planned', jobs: [job] },
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

t.test('limits of shares and rates', (t) => {
  t.equal(shareOf({ bytesDone: 1 }), undefined);
  t.equal(shareOf({ bytesDone: 0, bytesTotal: 0 }), undefined);
  t.equal(percent(shareOf({ bytesDone: 999, bytesTotal: 1000 })!), '99 %', 'never 100 before the end');
  t.equal(shareOf({ bytesDone: 7, bytesTotal: 5 }), 1);
  t.equal(shareOf({ bytesDone: 1, bytesTotal: 5, share: 0.5 }), 0.5, 'a stated share takes precedence');
  t.same(
    [0, 59_400, 59_600, 3_599_000, 3_600_000, 7_500_000].map((ms) => duration(ms / 1000)),
    ['0 s', '59 s', '1 min 0 s', '59 min 59 s', '1 h 0 min', '2 h 5 min'],
  );
  t.equal(
    plainFigures({ job, startedMs: 5, progress: { rows: 9 } }, 5),
    '9 rows, 0 rejected, 0.0 s',
    'no rate without elapsed time',
  );
  t.end();
});

t.test('the output without a terminal is plain lines, or JSON on request', (t) => {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) } as unknown as NodeJS.WriteStream;
  chooseReporter({ json: false, stream, isTerminal: false }).line('plain');
  chooseReporter({ json: true, stream, isTerminal: true }).line('json');
  t.match(lines[0], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ plain\n$/);
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
