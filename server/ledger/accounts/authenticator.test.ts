import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { newLedgerForTest, untilSeen } from '../testing/ledger.js';
import { WatchedRedis } from '../watched-redis.js';
import { KEYS_KEY, USED_KEY } from './account-records.js';
import { hashOfKey, newApiKey } from './api-key.js';
import { Authenticator } from './authenticator.js';

/** Opens an authenticator with its connection, and a plain connection to change what Redis holds. */
async function openAuthenticator(t: Test, url: string) {
  const redis = new WatchedRedis({ url });
  const plain = new Redis(url);
  t.teardown(() => {
    redis.close();
    plain.disconnect();
  });
  await redis.ready(10_000);
  return { redis, plain, authenticator: new Authenticator(redis) };
}

t.test('a key that is revoked while it is looked up is not cached as valid', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const { key } = await ledger.accounts.createKey({ email: 'a@example.com' });
  const { authenticator, redis } = await openAuthenticator(t, url);
  // Loads the script, so the lookup is one command.
  await authenticator.authenticate(newApiKey());
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
  const { authenticator, plain } = await openAuthenticator(t, url);
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

t.test('decision 71: a cached key expires, and is valid only from its networks', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const { accounts } = ledger;
  const { key, account } = await accounts.createKey({
    email: 'a@example.com',
    networks: '192.0.2.0/24, 2001:db8::/32,198.51.100.7',
  });
  const { authenticator, plain } = await openAuthenticator(t, url);
  await authenticator.authenticate(key, '203.0.113.1');
  for (const client of ['192.0.2.255', '2001:db8:ffff::1', '198.51.100.7'])
    t.same(authenticator.authenticate(key, client), { kind: 'account', account }, client);
  for (const client of ['192.0.3.0', '2001:db9::1', '198.51.100.8', '::ffff:192.0.3.1', undefined])
    t.same(authenticator.authenticate(key, client), { kind: 'outside' }, String(client));

  const { key: brief } = await accounts.createKey({ email: 'a@example.com' });
  const record = JSON.parse((await plain.hget(KEYS_KEY, hashOfKey(brief)))!) as object;
  const expires = new Date(Date.now() + 1500).toISOString();
  await plain.hset(KEYS_KEY, hashOfKey(brief), JSON.stringify({ ...record, expires }));
  t.match(await authenticator.authenticate(brief), { kind: 'account' });
  t.notOk(authenticator.authenticate(brief) instanceof Promise, 'cached');
  while (Date.now() <= Date.parse(expires)) await sleep(50);
  t.same(authenticator.authenticate(brief), { kind: 'invalid', expired: expires });
});

t.test('decision 71: a key is invalid from the moment of its expiry', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const { key } = await ledger.accounts.createKey({ email: 'a@example.com', expires: '1' });
  const expires = (await ledger.accounts.list())[0]!.keys[0]!.expires!;
  const { authenticator, redis } = await openAuthenticator(t, url);
  let now = Date.parse(expires) - 1;
  redis.now = () => now;
  t.match(await authenticator.authenticate(key), { kind: 'account' });
  now++;
  t.same(await authenticator.authenticate(key), { kind: 'invalid', expired: expires });
});

t.test('the last use of a key is noted once per lookup, without a write for cached keys', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const { accounts } = ledger;
  const plain = new Redis(url);
  t.teardown(() => {
    plain.disconnect();
  });
  const { key } = await accounts.createKey({ email: 'a@example.com' });
  t.notOk('lastUsed' in (await accounts.list())[0]!.keys[0]!);
  const before = Math.floor(Date.now() / 60_000) * 60_000;
  await untilSeen(ledger, key);
  const { lastUsed } = (await accounts.list())[0]!.keys[0]!;
  t.ok(Date.parse(lastUsed!) >= before && Date.parse(lastUsed!) <= Date.now(), String(lastUsed));
  t.equal(Date.parse(lastUsed!) % 60_000, 0, 'to the minute');
  await plain.del(USED_KEY);
  for (let i = 0; i < 100; i++) t.notOk(accounts.authenticate(key) instanceof Promise);
  await accounts.authenticate(newApiKey());
  t.equal(await plain.exists(USED_KEY), 0, 'neither a cached nor an unknown key');
  await plain.hset(USED_KEY, hashOfKey(key), 0);
  await accounts.revokeKey(key);
  t.equal(await plain.exists(USED_KEY), 0, 'forgotten with the key');
});
