import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FlowProducer } from 'bullmq';
import t, { type Test } from 'tap';
import { runBuildFlow, type FlowOptions } from './flow.js';
import { flowTree } from './flow-plan.js';
import { jobNames, MERGE_PARTS, planJobs, requiredJobNames } from './planned-jobs.js';
import type { JobEvent } from './job-events.js';
import { openRedis } from './open-redis.js';
import { shortDir } from '../testing/child-process.js';

const outputDir = shortDir(t);
const redis = await openRedis({ redisUrl: undefined, outputDir, log: () => undefined });
t.teardown(() => redis.stop());

const planOf = (outputDir: string, feeds: string[], more: { sources?: string[]; lists?: string[] } = {}) => {
  return {
    settings: {
      feedsDir: 'none',
      outputDir,
      feeds,
      sources: [],
      lists: [],
      datasetFeeds: [],
      began: 0,
      concurrency: 2,
      ...more,
    },
    backoffMs: 10,
  };
};

/** Runs a flow of test stages. The name of a feed selects the behaviour of its ingest. */
const run = async (
  t: Test,
  feeds: string[],
  { more, ...options }: Partial<FlowOptions> & { more?: Parameters<typeof planOf>[2] } = {},
) => {
  const dir = t.testdir();
  const events: JobEvent[] = [];
  const logged: string[] = [];
  const result = runBuildFlow(redis, planOf(dir, feeds, more), {
    processor: new URL('./testing/stages.js', import.meta.url),
    concurrency: 2,
    log: (line) => logged.push(line),
    onEvent: (event) => events.push(event),
    ...options,
  });
  const outcome = await result.then(
    (value: unknown) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  return { dir, events, logged, ...outcome };
};

t.test('results travel up the tree to publish', async (t) => {
  const { value, events } = await run(t, ['quick-a', 'quick-b']);
  t.strictSame(value, {
    'compile:geo': {
      'ingest:quick-a': { source: 'quick-a' },
      'ingest:quick-b': { source: 'quick-b' },
      gazetteer: { 'fetch:gazetteer': { source: 'gazetteer' } },
      'find:geo': { skipsRest: true },
    },
  });
  const names = requiredJobNames(planJobs(planOf('', ['quick-a', 'quick-b']).settings)).concat('find:geo');
  for (const type of ['started', 'done']) {
    t.strictSame(new Set(events.filter((e) => e.type === type).map((e) => e.job)), new Set(names), type);
  }
});

t.test('a job of a phase receives the results of another branch that it waits for', async (t) => {
  const { value } = await run(t, ['quick-a'], { more: { sources: ['quick-s'], lists: ['quick-l'] } });
  const geo = {
    'ingest:quick-a': { source: 'quick-a' },
    gazetteer: { 'fetch:gazetteer': { source: 'gazetteer' } },
    'find:geo': { skipsRest: true },
  };
  const routing = { 'ingest:quick-s': { source: 'quick-s' } };
  const lists = { 'compile:routing': routing, 'ingest:quick-l': { source: 'quick-l' } };
  const before = { ...lists, ...geo };
  const results = value as Record<string, { readonly received: readonly string[] }>;
  const { 'changes:asn': asn, 'changes:isp': isp, ...rest } = results;
  t.same(rest, { ...lists, 'compile:geo': geo, 'compile:isp': before });
  t.same(new Set(asn!.received), new Set(Object.keys(before)));
  t.same(new Set(isp!.received), new Set([...Object.keys(before), 'compile:isp', 'changes:asn']));
});

t.test(
  'the jobs of a phase start when the phase before is done, and receive all earlier results',
  async (t) => {
    const { value, events } = await run(t, ['quick-new', 'quick-b']);
    const geo = (value as Record<string, Record<string, { input: object; received: string[] }>>)[
      'compile:geo'
    ]!;
    const before = ['ingest:quick-new', 'ingest:quick-b', 'gazetteer', 'find:geo'];
    const verdicts = ['verdicts:quick-new', 'verdicts:quick-b'];
    t.same(geo['verdicts:quick-b']!.input, { feed: 'quick-b' });
    t.same(new Set(geo['verdicts:quick-b']!.received), new Set(before));
    t.same(geo['merge:2-of-8']!.input, { part: '2', parts: '8' });
    t.same(new Set(geo['merge:2-of-8']!.received), new Set([...before, ...verdicts]));
    const merges = Array.from({ length: MERGE_PARTS }, (_, i) => `merge:${i + 1}-of-8`);
    t.same(new Set(geo['write:served']!.received), new Set([...before, ...verdicts, ...merges, 'score:geo']));
    const changes = geo['changes:geo']!;
    t.same(changes.input, { dataset: 'geo' });
    t.ok(changes.received.includes('write:download'));
    t.notOk(changes.received.includes('write:served'), 'the changes do not wait for the other file');
    const names = jobNames(planJobs(planOf('', ['quick-new', 'quick-b']).settings));
    for (const type of ['started', 'done']) {
      t.strictSame(new Set(events.filter((e) => e.type === type).map((e) => e.job)), new Set(names), type);
    }
    const ended = events.flatMap((e, i) => (e.type === 'done' && verdicts.includes(e.job) ? [i] : []));
    const merging = events.findIndex((e) => e.type === 'started' && e.job.startsWith('merge:'));
    t.ok(merging > Math.max(...ended), 'no merge starts before the last verdicts are done');
  },
);

t.test('the failure of a job of a phase fails the build, and later phases do not start', async (t) => {
  const { error, events } = await run(t, ['quick-new', 'quick-bad']);
  t.match(error, { message: /verdicts:quick-bad.*the claims of quick-bad/ });
  t.notOk(events.some((e) => e.job.startsWith('merge:')));
});

t.test('a transient failure is retried and reported', async (t) => {
  const { value, events } = await run(t, ['flaky']);
  t.match(value, { 'compile:geo': { 'ingest:flaky': { tries: 3 } } });
  t.strictSame(
    events.filter((e) => e.type === 'retrying'),
    [1, 2].map((n) => ({ type: 'retrying', job: 'ingest:flaky', reason: `try ${n} was refused` })),
  );
});

t.test('a repeated transient failure is final after the last try', async (t) => {
  const dir = t.testdir();
  await t.rejects(
    runBuildFlow(
      redis,
      { ...planOf(dir, ['flaky']), attempts: 2 },
      {
        processor: new URL('./testing/stages.js', import.meta.url),
        concurrency: 2,
        log: () => undefined,
        onEvent: () => undefined,
      },
    ),
    { name: 'JobFailedError', message: 'ingest:flaky failed: TransientError: try 2 was refused' },
  );
});

t.test(
  'bad data is not retried; the error has the job, the reason in one line, and the position in the code',
  async (t) => {
    const { dir, error, events } = await run(t, ['bad']);
    t.match(error, {
      name: 'JobFailedError',
      job: 'ingest:bad',
      message: 'ingest:bad failed: RangeError: row 7 is | out of range (Error: the root of it)',
      at: /^at .*testing.stages/,
    });
    t.equal(readFileSync(join(dir, 'bad'), 'utf8'), 'x');
    t.equal(events.filter((e) => e.type === 'failed').length, 1);
  },
);

t.test('a failed job ends the build while another job is running', async (t) => {
  const { error } = await run(t, ['busy', 'bad'], { concurrency: 3 });
  t.match(error, { job: 'ingest:bad' });
});

t.test('a job is not retried after its thread has exited', async (t) => {
  const { dir, error } = await run(t, ['exit']);
  t.match(error, { message: 'ingest:exit failed: its worker thread ended with exit code 9' });
  t.equal(readFileSync(join(dir, 'exit'), 'utf8'), 'x');
});

t.test('a result that is too large for Redis is refused', async (t) => {
  const { error } = await run(t, ['large']);
  t.match(error, { message: /^ingest:large failed: RangeError: the result of ingest:large is too large/ });
});

t.test('progress and log lines of a job arrive while it runs', async (t) => {
  const stop = new AbortController();
  const seen: JobEvent[] = [];
  const { error } = await run(t, ['slow'], {
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type === 'progress' || event.type === 'log') seen.push(event);
      if (event.type === 'log') stop.abort(new Error('seen enough'));
    },
  });
  t.match(error, { message: 'seen enough' });
  t.strictSame(seen, [
    { type: 'progress', job: 'ingest:slow', progress: { rows: 1000, rejected: 1 } },
    { type: 'log', job: 'ingest:slow', line: 'working' },
  ]);
});

t.test('a run that is aborted before its start does not start', async (t) => {
  const { dir, error } = await run(t, ['bad'], { signal: AbortSignal.abort(new Error('not today')) });
  t.match(error, { message: 'not today' });
  t.notOk(existsSync(join(dir, 'bad')));
});

t.test('an error of a listener ends the run, which rejects with it', async (t) => {
  const { error } = await run(t, ['quick'], {
    onEvent: () => {
      throw new Error('the terminal is gone');
    },
  });
  t.match(error, { message: 'the terminal is gone' });
});

t.test('jobs that a killed run left in the queue are not run', async (t) => {
  const dir = t.testdir();
  const producer = new FlowProducer({ connection: redis.connection, prefix: redis.prefix });
  await producer.add(flowTree(planOf(dir, ['bad']), { id: 'killed', prefix: redis.prefix }));
  await producer.close();
  const { value } = await run(t, ['quick']);
  t.match(value, { 'compile:geo': { 'ingest:quick': { source: 'quick' } } });
  t.notOk(existsSync(join(dir, 'bad')));
});
