import t from 'tap';
import { Redis } from 'ioredis';
import { shortDir } from '../testing/child-process.js';
import { openRedis } from './open-redis.js';
import { lockStore } from './store-lock.js';

const redis = await openRedis({ redisUrl: undefined, outputDir: shortDir(t), log: () => undefined });
const client = new Redis({ path: redis.connection.path! });
t.teardown(async () => {
  client.disconnect();
  await redis.stop();
});
const KEY = `${redis.prefix}:lock`;
const [HERE, THERE] = [
  { outputDir: '/output', machine: 'a' },
  { outputDir: '/output', machine: 'b' },
];

t.test('one machine builds at a time, and the next one after it has ended', async (t) => {
  const lock = await lockStore(redis, HERE);
  await t.rejects(lockStore(redis, THERE), {
    name: 'BuildRunningError',
    message: /^another machine is building into this store since \d{4}-\d\d-\d\dT\S+\. If it has ended/,
  });
  const ttl = await client.pttl(KEY);
  t.ok(ttl > 0 && ttl <= 30_000, 'the lock of a dead machine ends by itself');
  await lock.release();
  const next = await lockStore(redis, THERE);
  t.notOk(next.taken.aborted);
  await next.release();
  t.equal(await client.exists(KEY), 0);
});

t.test('the lock that a killed build of the same folder left is taken over', async (t) => {
  const killed = await lockStore(redis, HERE);
  t.teardown(() => killed.release());
  const again = await lockStore(redis, HERE);
  await t.rejects(lockStore(redis, THERE), { name: 'BuildRunningError' });
  await again.release();
});

t.test('an ended lock does not remove that of its successor', async (t) => {
  const lost = await lockStore(redis, HERE);
  await client.del(KEY);
  const successor = await lockStore(redis, THERE);
  await lost.release();
  t.equal(await client.exists(KEY), 1);
  await successor.release();
});
