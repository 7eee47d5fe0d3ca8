import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { acquireBuildLock } from './build-lock.js';
import { newRedisForTest } from './testing/redis-server.js';
import { probe } from './redis-connection.js';
import { isAlive, shortDir, startModule, untilGone } from './testing/child-process.js';

const startBuild = (t: Test, dir: string, feeds: string[], env: NodeJS.ProcessEnv = {}) =>
  startModule(t, ['./build-process.js', 'build', dir, ...feeds], { REDIS_URL: undefined, ...env });
const startWorker = (t: Test, dir: string, env: NodeJS.ProcessEnv = {}) =>
  startModule(t, ['./build-process.js', 'worker', dir], { REDIS_URL: undefined, ...env });
const privatePid = (dir: string) => probe({ socketPath: join(dir, 'redis', 'redis.sock') });

t.test('a build prints its jobs and result, and leaves no Redis and no lock', async (t) => {
  const dir = shortDir(t);
  const { code, output } = await startBuild(t, dir, ['quick']).ended;
  t.equal(code, 0, output);
  t.match(output, 'ingest:quick: started');
  t.match(output, /publish: done: \d/);
  t.match(output, 'result {"compile:geo":{');
  t.notOk(existsSync(join(dir, 'redis', 'redis.sock')));
  acquireBuildLock(dir).release();
});

t.test('a failed job is the exit code and one line', async (t) => {
  const { code, output } = await startBuild(t, shortDir(t), ['bad']).ended;
  t.equal(code, 1);
  t.equal(output.match(/^JobFailedError: ingest:bad failed: RangeError: row 7.*$/gm)?.length, 1, output);
});

t.test('a thread that runs out of memory fails its job, not the process', async (t) => {
  const limit = { NODE_OPTIONS: '--max-old-space-size=120' };
  const { code, output } = await startBuild(t, shortDir(t), ['memory'], limit).ended;
  t.equal(code, 1);
  t.match(output, /a worker thread failed: .*memory/);
  t.match(output, 'JobFailedError: ingest:memory failed: its worker thread ended');
});

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  t.test(`${signal} stops a job that never yields, Redis and lock: exit code ${exitCode}`, async (t) => {
    const dir = shortDir(t);
    const build = startBuild(t, dir, ['busy']);
    await build.saw('ingest:busy: started');
    while (!existsSync(join(dir, 'busy'))) await sleep(10);
    const pid = await privatePid(dir);
    build.child.kill(signal);
    const { code, output } = await build.ended;
    t.equal(code, exitCode);
    t.match(output, `InterruptedError: stopped by ${signal}\n`);
    t.notOk(isAlive(pid));
    acquireBuildLock(dir).release();
  });
}

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  t.test(
    `a private Redis that ends by ${signal} in mid-build ends the build with one clear line`,
    async (t) => {
      const dir = shortDir(t);
      const build = startBuild(t, dir, ['busy', 'slow']);
      await build.saw('ingest:slow: working');
      process.kill(await privatePid(dir), signal);
      const { code, output } = await build.ended;
      t.equal(code, 1);
      const after = output
        .slice(output.indexOf('ingest:slow: working'))
        .split('\n')
        .filter((line) => /redis|error/i.test(line));
      t.equal(after.length, 1, output);
      t.match(after[0], `RedisLostError: Redis at ${join(dir, 'redis', 'redis.sock')} is gone: `);
      // And nothing stands in the way of the next one.
      t.match(await startBuild(t, dir, ['quick']).ended, { code: 0 });
    },
  );
}

t.test('a Redis of REDIS_URL that goes away in mid-build ends the build with one clear line', async (t) => {
  const { url, pid } = await newRedisForTest(t);
  const build = startBuild(t, shortDir(t), ['slow'], { REDIS_URL: url });
  await build.saw('ingest:slow: working');
  process.kill(pid, 'SIGKILL');
  const { code, output } = await build.ended;
  t.equal(code, 1);
  t.equal(output.match(/redis/gi)?.length, 3, output);
  t.match(output, `RedisLostError: Redis at ${url} is gone: connect ECONNREFUSED`);
});

t.test('a Redis that freezes in mid-build ends the build too', async (t) => {
  const { url, pid } = await newRedisForTest(t);
  const build = startBuild(t, shortDir(t), ['slow'], { REDIS_URL: url });
  await build.saw('ingest:slow: working');
  process.kill(pid, 'SIGSTOP');
  t.match(await build.ended, { code: 1, output: /RedisLostError: Redis at \S+ is gone/ });
});

t.test('after kill -9 the next build runs, on the Redis that was left, and stops it', async (t) => {
  const dir = shortDir(t);
  const build = startBuild(t, dir, ['slow', 'quick']);
  await build.saw('ingest:slow: working');
  const pid = await privatePid(dir);
  build.child.kill('SIGKILL');
  await build.ended;
  t.ok(isAlive(pid));
  t.match(await startBuild(t, dir, ['quick']).ended, { code: 0, output: /result / });
  await untilGone(pid);
});

t.test('a second build in the same directory says who builds and ends', async (t) => {
  const dir = shortDir(t);
  const build = startBuild(t, dir, ['slow']);
  await build.saw('ingest:slow: working');
  const { code, output } = await startBuild(t, dir, ['quick']).ended;
  t.equal(code, 75);
  t.match(output, new RegExp(`^BuildRunningError: another build is running: pid ${build.child.pid!} since `));
  build.child.kill('SIGTERM');
  t.match(await build.ended, { code: 143 });
});

t.test('a worker in another process takes part in a build, and ends with it', async (t) => {
  const dir = shortDir(t);
  const feeds = Array.from({ length: 16 }, (_, i) => `thread-${i}`);
  const build = startBuild(t, dir, ['slow', ...feeds]);
  await build.saw('ingest:slow: working');
  const worker = startWorker(t, dir);
  await worker.saw('ingest:thread-');
  await worker.saw(': done');
  build.child.kill('SIGTERM');
  t.match(await build.ended, { code: 143 });
  const { code, output } = await worker.ended;
  t.equal(code, 0, output);
  t.match(output, `waiting for jobs at ${join(dir, 'redis', 'redis.sock')}`);
  t.match(output, 'the build has ended, and its Redis with it');
});

t.test('a worker of REDIS_URL waits for builds, finishes its job at SIGTERM and ends', async (t) => {
  const { url } = await newRedisForTest(t);
  const dir = shortDir(t);
  const worker = startWorker(t, dir, { REDIS_URL: url });
  await worker.saw('waiting for jobs');
  const feeds = Array.from({ length: 8 }, (_, i) => `thread-${i}`);
  const build = startBuild(t, dir, feeds, { REDIS_URL: url });
  await worker.saw('ingest:thread-');
  worker.child.kill('SIGTERM');
  t.match(await worker.ended, { code: 0, output: /stopping: the jobs at work are finished first\n/ });
  const { code, output } = await build.ended;
  t.equal(code, 0, output);
  t.equal(new Set(output.match(/"pid":\d+/g)).size, 2, 'two processes have worked');
});

t.test('a worker without a build says so', async (t) => {
  t.match(await startWorker(t, shortDir(t)).ended, {
    code: 1,
    output: /^RedisUnreachableError: no build is running in /,
  });
});
