import { join } from 'node:path';
import t from 'tap';
import { outputFolder, PROJECT } from './testing/command-line.js';
import { jobsIn, measureBuild } from './testing/measured-build.js';

/** The settings without tap's node options, and with a private Redis. */
const PLAIN = { NODE_OPTIONS: '', REDIS_URL: '' };

t.test('measures a build and each of its jobs', async (t) => {
  const feeds = join(PROJECT, 'fixtures/feeds');
  const { seconds, peakMb, jobs } = await measureBuild({
    ...PLAIN,
    FEEDS: feeds,
    BUILD_FEEDS: 'geolite2',
    OUTPUT: outputFolder(t),
  });
  const geolite2 = jobs.find(({ job }) => job === 'ingest:geolite2')!;
  t.equal(geolite2.rows, 1119);
  t.ok(geolite2.seconds > 0 && geolite2.seconds < seconds);
  t.ok(jobs.some(({ job, rows }) => job === 'publish' && rows === undefined));
  t.ok(process.platform !== 'linux' || peakMb! > 10);
});

t.test('a build that publishes nothing is an error', async (t) => {
  const settings = { ...PLAIN, FEEDS: join(t.testdir({}), 'nowhere'), OUTPUT: outputFolder(t) };
  await t.rejects(measureBuild(settings), /the build ended with [1-9]/);
});

t.test('a job lasts from its first start to its end, with the rows it reported last', (t) => {
  const at = (second: number): string => `2026-11-21T10:00:0${second}.000Z`;
  const lines = [
    { time: at(0), event: 'started', job: 'ingest:own' },
    { time: at(1), event: 'line', text: 'of no job' },
    { time: at(2), event: 'progress', job: 'ingest:own', rows: 5 },
    { time: at(3), event: 'started', job: 'ingest:own' },
    { time: at(4), event: 'started', job: 'publish' },
    { time: at(4), event: 'progress', job: 'ingest:own', rows: 7 },
    { time: at(5), event: 'done', job: 'ingest:own' },
    { time: at(6), event: 'done', job: 'publish' },
  ].map((event) => JSON.stringify(event));
  t.same(jobsIn(lines), [
    { job: 'ingest:own', seconds: 5, rows: 7 },
    { job: 'publish', seconds: 2, rows: undefined },
  ]);
  t.end();
});
