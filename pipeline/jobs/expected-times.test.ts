import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readJobTimes, Stopwatch, writeJobTimes } from './expected-times.js';

t.test('times of jobs are measured from their last start', (t) => {
  let nowMs = 0;
  const stopwatch = new Stopwatch(() => nowMs);
  const at = (ms: number, type: 'started' | 'done', job: string): void => {
    nowMs = ms;
    stopwatch.event({ type, job });
  };
  at(0, 'started', 'a');
  at(10, 'started', 'b');
  at(40, 'started', 'a');
  at(100, 'done', 'a');
  at(100, 'done', 'b');
  t.same(stopwatch.times(), { jobs: { a: 60, b: 90 }, parallel: 1.5 });
  t.end();
});

t.test('a build without new inputs keeps the times of the jobs that it left out', async (t) => {
  const outputDir = t.testdir({});
  t.equal(await readJobTimes(outputDir), undefined);
  await writeJobTimes(outputDir, {
    last: undefined,
    measured: { jobs: { merge: 1000, ingest: 500 }, parallel: 2 },
  });
  const last = await readJobTimes(outputDir);
  await writeJobTimes(outputDir, { last, measured: { jobs: { ingest: 1, find: 3 }, parallel: 1 } });
  t.same(await readJobTimes(outputDir), { jobs: { merge: 900, ingest: 450, find: 3 }, parallel: 2 });
});

t.test('a damaged file is no basis for an estimate', async (t) => {
  const outputDir = t.testdir({ cache: {} });
  writeFileSync(join(outputDir, 'cache/job-times.json'), '{"jobs":');
  t.equal(await readJobTimes(outputDir), undefined);
});
