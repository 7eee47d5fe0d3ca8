import t from 'tap';
import type { JobEvent } from './job-events.js';
import { blockReporter } from './progress-block.js';
import type { Reporter } from './reporter.js';
import { openScreen, type Screen } from './testing/terminal.js';

const JOBS = Array.from({ length: 40 }, (_, n) => `ingest:feed-${n}`);
const EXPECTED = { jobs: Object.fromEntries(JOBS.map((job) => [job, 10_000])), parallel: 2 };

/** A reporter on a terminal, with a clock that the test sets. */
function show(columns: number, rows: number): { screen: Screen; reporter: Reporter; clock: { ms: number } } {
  const screen = openScreen(columns, rows);
  const clock = { ms: 0 };
  return { screen, reporter: blockReporter(screen.stream, () => clock.ms), clock };
}

t.test('the block shows the whole build and the running jobs with time left', async (t) => {
  const { screen, reporter, clock } = show(80, 24);
  reporter.planned({ jobs: JOBS.slice(0, 4), expected: EXPECTED });
  for (const job of JOBS.slice(0, 3)) reporter.event({ type: 'started', job });
  reporter.event({ type: 'done', job: JOBS[0]!, result: {} });
  clock.ms = 4000;
  reporter.event({ type: 'progress', job: JOBS[1]!, progress: { share: 0.25, rows: 8000, rejected: 2 } });
  t.same(await screen.lines(), [
    `build   22 %  ${'█'.repeat(4)}${'░'.repeat(16)}  1 of 4 jobs  4 s  14 s left`,
    'ingest:feed-1              25 %        12 s left  8,000 rows, 2,000 rows/s, 2 …',
    'ingest:feed-2                           6 s left',
  ]);
  reporter.close();
  t.same(await screen.lines(), [], 'nothing of the block remains');
});

t.test('without earlier builds there is no time left, and without a plan only a count', async (t) => {
  const { screen, reporter, clock } = show(80, 24);
  reporter.event({ type: 'started', job: JOBS[0]! });
  t.same(await screen.lines(), ['0 done  0 s', 'ingest:feed-0                                0 s']);
  reporter.planned({ jobs: JOBS });
  clock.ms = 61_000;
  reporter.event({ type: 'started', job: JOBS[1]! });
  t.same((await screen.lines())[0], `build    0 %  ${'░'.repeat(20)}  0 of 40 jobs  1 min 1 s`);
  reporter.close();
});

for (const [columns, rows] of [
  [80, 24],
  [80, 10],
  [40, 24],
  [20, 4],
  [80, 2],
] as const) {
  t.test(`40 jobs at once fit ${columns} x ${rows}, and lines scroll above them`, async (t) => {
    const { screen, reporter, clock } = show(columns, rows);
    reporter.planned({ jobs: JOBS, expected: EXPECTED });
    const logged: string[] = [];
    const at = (event: JobEvent): void => {
      clock.ms += 150;
      reporter.event(event);
    };
    for (const job of JOBS) at({ type: 'started', job });
    for (const [n, job] of JOBS.entries()) {
      at({ type: 'progress', job, progress: { share: 0.5, rows: n, text: '名'.repeat(200) } });
      if (n % 3 === 0) {
        logged.push(`line ${n}`);
        reporter.line(`line ${n}`);
      }
      const lines = await screen.lines();
      const blockAt = lines.findIndex((line) => line.startsWith('build'));
      t.same(lines.slice(0, blockAt), logged, 'the lines above the block are those that were printed');
      t.ok(lines.length - blockAt < Math.max(rows, 3), 'the block fits');
      t.notOk(lines.includes(''), 'no line is empty');
    }
    for (const job of JOBS) at({ type: 'done', job, result: {} });
    reporter.close();
    t.same(await screen.lines(), logged, 'only the printed lines remain');
  });
}

t.test('the block follows the size of the terminal', async (t) => {
  const { screen, reporter, clock } = show(120, 30);
  for (const job of JOBS) reporter.event({ type: 'started', job });
  clock.ms = 1000;
  reporter.event({ type: 'started', job: JOBS[0]! });
  t.equal((await screen.lines()).length, 28);
  screen.resize(120, 12);
  clock.ms = 2000;
  reporter.event({ type: 'started', job: JOBS[0]! });
  const lines = await screen.lines();
  t.match(lines.at(-1), /^ {2}and 32 more$/);
  reporter.close();
});

t.test('text of others cannot leave its line', async (t) => {
  const { screen, reporter, clock } = show(80, 24);
  clock.ms = 1000;
  reporter.event({ type: 'started', job: 'a' });
  clock.ms = 2000;
  reporter.event({ type: 'progress', job: 'a', progress: { text: 'x\u001b[2J\nFORGED' } });
  t.match((await screen.lines())[1], 'x\\x1b[2J\\x0aFORGED');
  reporter.close();
});
