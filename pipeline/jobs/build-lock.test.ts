import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { acquireBuildLock, BuildRunningError } from './build-lock.js';
import { startModule } from './testing/child-process.js';

t.test(
  'a second process receives the holder’s description, and the lock once the holder is killed',
  async (t) => {
    const dir = t.testdir();
    const holder = startModule(t, ['./hold-process.js', 'lock', dir]);
    await holder.saw('held');
    const message = new RegExp(
      `^another build is running: pid ${holder.child.pid!} since (\\S+ )?\\d\\d:\\d\\d:\\d\\d UTC$`,
    );
    t.throws(() => acquireBuildLock(dir), { name: 'BuildRunningError', message });
    holder.child.kill('SIGKILL');
    await holder.ended;
    acquireBuildLock(dir).release();
  },
);

t.test('one process cannot lock a directory twice', (t) => {
  const dir = t.testdir();
  const lock = acquireBuildLock(dir);
  t.throws(() => acquireBuildLock(dir), BuildRunningError);
  lock.release();
  lock.release();
  acquireBuildLock(dir).release();
  t.end();
});

t.test('different output directories have different locks', (t) => {
  const dir = t.testdir();
  const locks = [acquireBuildLock(join(dir, 'a')), acquireBuildLock(join(dir, 'b'))];
  t.equal(locks.length, 2);
  for (const lock of locks) lock.release();
  t.end();
});

t.test('a lock file of a killed build, or without text, does not block', (t) => {
  const dir = t.testdir();
  writeFileSync(join(dir, 'build.lock'), '{"pid":1,"sta');
  const lock = acquireBuildLock(dir);
  t.match(JSON.parse(readFileSync(join(dir, 'build.lock'), 'utf8')), { pid: process.pid });
  writeFileSync(join(dir, 'build.lock'), '');
  t.throws(() => acquireBuildLock(dir), { message: 'another build is running' });
  lock.release();
  t.end();
});

t.test('the message has the date of a build that began on another day', (t) => {
  const dir = t.testdir();
  const lock = acquireBuildLock(dir);
  writeFileSync(join(dir, 'build.lock'), '{"pid":7,"started":"2020-02-03T04:05:06.789Z"}');
  t.throws(() => acquireBuildLock(dir), {
    message: 'another build is running: pid 7 since 2020-02-03 04:05:06 UTC',
  });
  lock.release();
  t.end();
});
