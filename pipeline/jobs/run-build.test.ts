import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { acquireBuildLock } from './build-lock.js';
import { newRedisForTest } from '../testing/redis-server.js';
import { probe } from './redis-connection.js';
import { startModule } from './testing/child-process.js';
import { isAlive, shortDir, untilGone } from '../testing/child-process.js';

const startBuild = (t: Test, dir: string, feeds: string[], env: NodeJS.ProcessEnv = {}) =>
  startModule(t, ['./build-process.js', 'build', dir, ...feeds], { REDIS_URL: undefined, ...env });
const startWorker = (t: Test, dir: string, env: NodeJS.ProcessEnv = {}) =>
  startModule(t, ['./build-process.js', 'worker', dir], { REDIS_URL: undefined, ...env });
const privatePid = (dir: string) => probe({ socketPath: join(dir, 'redis', 'redis.sock') });

t.test('a build prints its jobs and result, stops its Redis and releases its lock', async (t) => {
  const dir = shortDir(t);
  const { code, output } = await startBuild(t, dir, ['quick']).ended;
  t.equal(code, 0, output);
  t.match(output, 'ingest:quick: started');
  t.match(output, /publish: done: \d/);
  t.match(output, 'result {"compile:geo":{');
  t.notOk(existsSync(join(dir, 'redis', 'redis.sock')));
  acquireBuildLock(dir).release();
});

t.test('a failed job gives exit code 1 and one line of error', async (t) => {
  const { code, output } = await startBuild(t, shortDir(t), ['bad']).ended;
  t.equal(code, 1);
  t.equal(output.match(/^JobFailedError: ingest:bad failed: RangeError: row 7.*$/gm)?.length, 1, output);
});

t.test('a thread that runs out of memory fails its job, not the process', async (t) => {
  const build = ['./build-process.js', 'build', shortDir(t), 'memory'] as const;
  const limit = ['--max-old-space-size=120'];
  const { code, output } = await startModule(t, [...build], { REDIS_URL: undefined }, limit).ended;
  t.equal(code, 1);
  t.match(output, /a worker thread failed: .*memory/);
  t.match(output, 'JobFailedError: ingest:memory failed: its worker thread ended');
});

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  t.test(
    `${signal} stops a job that never yields, stops Redis, releases the lock and gives exit code ${exitCode}`,
    async (t) => {
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
    },
  );
}

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  t.test(
    `if ${signal} stops the private Redis during a build, the build fails with one line of error`,
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
      t.match(after[0], `RedisLostError: Redis at ${join(dir, 'redis', 'redis.sock')} was lost: `);
      // The next build can run.
      t.match(await startBuild(t, dir, ['quick']).ended, { code: 0 });
    },
  );
}

t.test(
  'if the Redis of REDIS_URL stops during a build, the build fails with one line of error',
  async (t) => {
    const { url, pid } = await newRedisForTest(t);
    const build = startBuild(t, shortDir(t), ['slow'], { REDIS_URL: url });
    await build.saw('ingest:slow: working');
    process.kill(pid, 'SIGKILL');
    const { code, output } = await build.ended;
    t.equal(code, 1);
    t.equal(output.match(/redis/gi)?.length, 3, output);
    t.match(output, `RedisLostError: Redis at ${url} was lost: connect ECONNREFUSED`);
  },
);

t.test('if Redis hangs during a build, the build fails', async (t) => {
  const { url, pid } = await newRedisForTest(t);
  const build = startBuild(t, shortDir(t), ['slow'], { REDIS_URL: url });
  await build.saw('ingest:slow: working');
  process.kill(pid, 'SIGSTOP');
  t.match(await build.ended, { code: 1, output: /RedisLostError: Redis at \S+ was lost/ });
});

t.test('after kill -9 the next build uses the Redis that is still running, and stops it', async (t) => {
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

t.test('a second build in the same directory names the running one and exits', async (t) => {
  const dir = shortDir(t);
  const build = startBuild(t, dir, ['slow']);
  await build.saw('ingest:slow: working');
  const { code, output } = await startBuild(t, dir, ['quick']).ended;
  t.equal(code, 75);
  t.match(output, new RegExp(`^BuildRunningError: another build is running: pid ${build.child.pid!} since `));
  build.child.kill('SIGTERM');
  t.match(await build.ended, { code: 143 });
});

// A process runs two jobs at a time, so neither can take all three.
const HELD = ['held-1', 'held-2', 'held-3'];
const letGo = (dir: string) => {
  writeFileSync(join(dir, 'go'), '');
};

t.test('a worker in another process takes part in a build, and ends with it', async (t) => {
  const dir = shortDir(t);
  const build = startBuild(t, dir, HELD);
  await build.saw('ingest:held-');
  const worker = startWorker(t, dir);
  await worker.saw('ingest:held-');
  letGo(dir);
  await worker.saw(': done');
  const { code: buildCode, output: buildOutput } = await build.ended;
  t.equal(buildCode, 0, buildOutput);
  const { code, output } = await worker.ended;
  t.equal(code, 0, output);
  t.match(output, `waiting for jobs at ${join(dir, 'redis', 'redis.sock')}`);
  t.match(output, 'the build and its Redis have ended');
});

t.test('a worker ends with a build that is stopped', async (t) => {
  const dir = shortDir(t);
  const build = startBuild(t, dir, HELD);
  await build.saw('ingest:held-');
  const worker = startWorker(t, dir);
  await worker.saw('ingest:held-');
  build.child.kill('SIGTERM');
  t.match(await build.ended, { code: 143 });
  t.match(await worker.ended, { code: 0, output: 'the build and its Redis have ended' });
});

t.test('a worker of REDIS_URL waits for builds, finishes its job at SIGTERM and ends', async (t) => {
  const { url } = await newRedisForTest(t);
  const dir = shortDir(t);
  const worker = startWorker(t, dir, { REDIS_URL: url });
  await worker.saw('waiting for jobs');
  const build = startBuild(t, dir, HELD, { REDIS_URL: url });
  await worker.saw('ingest:held-');
  await build.saw('ingest:held-');
  worker.child.kill('SIGTERM');
  await worker.saw('stopping after the running jobs\n');
  letGo(dir);
  t.match(await worker.ended, { code: 0 });
  const { code, output } = await build.ended;
  t.equal(code, 0, output);
  t.equal(new Set(output.match(/"pid":\d+/g)).size, 2, 'jobs ran in two processes');
});

t.test('a worker without a build exits with an error', async (t) => {
  t.match(await startWorker(t, shortDir(t)).ended, {
    code: 1,
    output: /^RedisUnreachableError: no build is running in /,
  });
});
