import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { probe } from '../jobs/redis-connection.js';
import { newRedisForTest } from '../testing/redis-server.js';
import {
  build,
  copyOutput,
  geoPath,
  ipatlas,
  ipatlasProcess,
  outputFolder,
  redisPid,
  served,
  start,
  unfinished,
} from './testing/command-line.js';

const EPOCH = '1795046400';
const NEXT_EPOCH = '1795132800';

const OLD = outputFolder(t);
await build(t, { OUTPUT: OLD, SOURCE_DATE_EPOCH: EPOCH });
const UNDISTURBED = copyOutput(t, OLD);
const tonight = { SOURCE_DATE_EPOCH: NEXT_EPOCH };
await build(t, { ...tonight, OUTPUT: UNDISTURBED });

t.test(
  'Redis stopped under a build is one clear line, and the next build publishes the same bytes',
  async (t) => {
    const OUTPUT = copyOutput(t, OLD);
    const { child, saw, ended } = start(t, { ...tonight, OUTPUT }, 'build');
    await saw('fetch:own: started');
    // The build is paused until its Redis has ended.
    child.kill('SIGSTOP');
    process.kill((await redisPid(OUTPUT))!, 'SIGKILL');
    child.kill('SIGCONT');
    const { code, stdout, stderr } = await ended;
    t.equal(code, 1);
    t.equal(stdout, '');
    t.match(stderr, /^ipatlas: Redis at \S+redis\.sock was lost: .+\n$/m);
    t.notMatch(stderr, /\n\s+at /, 'no stack');
    t.equal((await served(OUTPUT)).id, (await served(OLD)).id);
    await build(t, { ...tonight, OUTPUT });
    t.ok(readFileSync(geoPath(OUTPUT)).equals(readFileSync(geoPath(UNDISTURBED))), 'the same bytes');
    t.same((await served(OUTPUT)).manifest, (await served(UNDISTURBED)).manifest);
    t.same(unfinished(OUTPUT), []);
    t.equal(await redisPid(OUTPUT), undefined);
  },
);

t.test('without redis-server there is exactly one line, with what to install', async (t) => {
  const OUTPUT = outputFolder(t);
  const { code, stdout, stderr } = await ipatlasProcess(t, { OUTPUT, PATH: '' }, 'build');
  t.equal(code, 1);
  t.equal(stdout, '');
  t.match(stderr, /^ipatlas: redis-server is not installed: run ".* install .*", or set REDIS_URL .*\n$/);
});

t.test('an unreachable REDIS_URL is one line without the password', async (t) => {
  const REDIS_URL = 'redis://user:secret@127.0.0.1:1';
  const { code, stderr } = await ipatlas(t, { OUTPUT: outputFolder(t), REDIS_URL }, 'build');
  t.equal(code, 1);
  t.match(stderr, /^ipatlas: no Redis at redis:\/\/127\.0\.0\.1:1: .*ECONNREFUSED.*\n$/);
});

t.test('with REDIS_URL the build and a worker share that Redis and leave it running', async (t) => {
  const OUTPUT = copyOutput(t, OLD);
  const { url, pid } = await newRedisForTest(t);
  // Neither can start a redis-server of its own.
  const settings = { ...tonight, OUTPUT, REDIS_URL: url, PATH: '' };
  const worker = start(t, settings, 'worker');
  await worker.saw('waiting for jobs at');
  await build(t, settings, ipatlasProcess);
  t.ok(readFileSync(geoPath(OUTPUT)).equals(readFileSync(geoPath(UNDISTURBED))), 'the same bytes');
  worker.child.kill('SIGTERM');
  const { code, stderr } = await worker.ended;
  t.equal(code, 0, 'exit code of the worker', { stderr });
  t.equal(await probe({ url }), pid);
  t.notOk(existsSync(join(OUTPUT, 'redis', 'redis.sock')));
});

t.test('a worker without a build says so', async (t) => {
  const { code, stderr } = await ipatlas(t, { OUTPUT: outputFolder(t) }, 'worker');
  t.equal(code, 1);
  t.match(stderr, /^ipatlas: no build is running in .*\n$/);
});

t.test('the second of two concurrent builds ends with a message, the first publishes', async (t) => {
  const OUTPUT = outputFolder(t);
  const first = start(t, { ...tonight, OUTPUT }, 'build');
  await first.saw('fetch:own: started');
  // The first is paused, so that it is still running when the second starts.
  first.child.kill('SIGSTOP');
  const { code, stdout, stderr } = await ipatlasProcess(t, { ...tonight, OUTPUT }, 'build');
  first.child.kill('SIGCONT');
  t.equal(code, 75);
  t.equal(stdout, '');
  t.match(stderr, new RegExp(`^ipatlas: another build is running: pid ${first.child.pid} since .* UTC\\n$`));
  const ended = await first.ended;
  t.equal(ended.code, 0, 'exit code of the first', { stderr: ended.stderr });
  t.ok(readFileSync(geoPath(OUTPUT)).equals(readFileSync(geoPath(UNDISTURBED))));
});
