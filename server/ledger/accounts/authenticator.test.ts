import { Redis } from 'ioredis';
import t from 'tap';
import { newLedgerForTest } from '../testing/ledger.js';
import { WatchedRedis } from '../watched-redis.js';
import { KEYS_KEY } from './account-records.js';
import { hashOfKey } from './api-key.js';
import { Authenticator } from './authenticator.js';

t.test('a key that is revoked while it is looked up is not cached as valid', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const { key } = await ledger.accounts.createKey({ email: 'a@example.com' });
  const redis = new WatchedRedis({ url });
  t.teardown(() => {
    redis.close();
  });
  await redis.ready(10_000);
  const authenticator = new Authenticator(redis);
  const running = authenticator.authenticate(key);
  // The same connection: Redis deletes the key after it has answered the lookup.
  const revoked = redis.client.hdel(KEYS_KEY, hashOfKey(key));
  authenticator.forgetAll();
  t.match(await running, { kind: 'account' }, 'the lookup has seen the key');
  t.equal(await revoked, 1);
  t.same(await authenticator.authenticate(key), { kind: 'invalid' });
});

t.test('a result that nothing has changed is cached', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const { key } = await ledger.accounts.createKey({ email: 'a@example.com' });
  const redis = new WatchedRedis({ url });
  const plain = new Redis(url);
  t.teardown(() => {
    redis.close();
    plain.disconnect();
  });
  await redis.ready(10_000);
  const authenticator = new Authenticator(redis);
  await authenticator.authenticate(key);
  await plain.hdel(KEYS_KEY, hashOfKey(key));
  t.match(authenticator.authenticate(key), { kind: 'account' }, 'without a promise');
  authenticator.forgetAll();
  t.same(await authenticator.authenticate(key), { kind: 'invalid' });
});

t.test('an outage of Redis prints nothing beside the log', async (t) => {
  const lines: string[] = [];
  const { ledger, pid } = await newLedgerForTest(t, { log: (line) => lines.push(line) });
  const printed = t.capture(console, 'error');
  process.kill(pid, 'SIGKILL');
  while (ledger.isReady() || lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  // The subscriber tries to connect again several times.
  await new Promise((resolve) => setTimeout(resolve, 500));
  t.same(printed(), []);
});
