import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { hashOfKey } from './accounts/api-key.js';
import type { AccountStore } from './accounts/account.js';
import { PLANS } from './plans.js';
import { parseMemory, RedisMemory } from './redis-memory.js';
import { accountSubject, anonymousSubject } from './subject.js';
import { newLedgerForTest } from './testing/ledger.js';
import { WatchedRedis } from './watched-redis.js';

const ONE = { credits: 1 };

function plain(t: Test, url: string): Redis {
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  return redis;
}

async function memoryOf(redis: Redis): Promise<{ usedBytes: number; limitBytes: number }> {
  return parseMemory(await redis.info('memory'));
}

/** Limits the memory of a Redis to what it uses and some bytes more. */
async function leave(redis: Redis, bytes: number): Promise<void> {
  const { usedBytes } = await memoryOf(redis);
  await redis.config('SET', 'maxmemory', String(usedBytes + bytes));
}

/** Returns a different address for each number below 2^24. */
function addressOf(n: number): string {
  return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
}

t.test(
  'decision 70: 30,000 sources without a key cannot take the memory of accounts from a Redis of 6 MB',
  { timeout: 120_000 },
  async (t) => {
    const lines: string[] = [];
    const { ledger, url } = await newLedgerForTest(t, { log: (line) => lines.push(line) });
    const redis = plain(t, url);
    await redis.config('SET', 'maxmemory', String(6 * 1024 * 1024));
    const { account } = await ledger.accounts.createKey({ email: 'a@example.com', plan: 'pro' });
    const subject = accountSubject(account);
    let refused = 0;
    let paid = 0;
    for (let n = 0; n < 30_000; n += 100) {
      const calls = Array.from({ length: 100 }, (_, i) =>
        i % 2 === 0
          ? ledger.meter.charge(anonymousSubject(addressOf(n + i)), { credits: 0 })
          : ledger.meter.reserve(anonymousSubject(addressOf(n + i)), { credits: 0 }),
      );
      const keyed = { ...subject, requestsPerMinute: 1_000_000 };
      calls.push(ledger.meter.charge(keyed, ONE));
      paid++;
      for (const admission of await Promise.all(calls)) if (admission.refused !== undefined) refused++;
    }
    t.equal(refused, 0, 'no call is refused, with or without a key');
    t.equal(
      (await ledger.accounts.list())[0]!.creditsLeft,
      PLANS.pro.creditsPerMonth - paid,
      'each was paid',
    );
    t.equal((await ledger.usage.usageOf(account.id)).today, paid);
    const { key } = await ledger.accounts.createKey({ email: 'b@example.com' });
    t.equal(await redis.hexists('ipatlas:keys', hashOfKey(key)), 1, 'accounts can be written');
    t.notOk((await ledger.downloads.take(account.id, 'mmdb')).refused);
    const { usedBytes, limitBytes } = await memoryOf(redis);
    t.ok(usedBytes <= limitBytes, `${usedBytes} of ${limitBytes} bytes`);
    t.match(lines, [
      /memory limit of 6291456 bytes: calls without a key are counted by each process|no memory left/,
    ]);
  },
);

t.test(
  'decision 70: a full Redis gives up short-lived keys before it refuses a call with a key',
  async (t) => {
    const { ledger, url } = await newLedgerForTest(t);
    const redis = plain(t, url);
    const { account } = await ledger.accounts.createKey({ email: 'a@example.com', plan: 'enterprise' });
    const subject = accountSubject(account);
    await Promise.all(
      Array.from({ length: 20_000 }, (_, n) => ledger.meter.charge(anonymousSubject(addressOf(n)), ONE)),
    );
    await redis.set('ipatlas:whois:1:domain example.com', 'cached');
    const before = (await redis.keys('*:ip:10.*')).length;
    t.equal(before, 40_000);
    await leave(redis, -100_000);
    await t.rejects(redis.set('more', 'x'), /OOM/);
    const calls = await Promise.all([
      ledger.meter.charge(subject, ONE),
      ledger.meter.reserve(subject, ONE),
      ledger.downloads.take(account.id, 'asn'),
      ledger.meter.charge(anonymousSubject('192.0.2.1'), ONE),
    ]);
    t.same(
      calls.map(({ refused }) => refused),
      [undefined, undefined, undefined, undefined],
    );
    t.equal(
      (await redis.keys('*:ip:192.0.2.1*')).length,
      0,
      'the call without a key was counted in the process',
    );
    t.ok((await redis.keys('*:ip:10.*')).length < before);
    t.equal((await ledger.accounts.list())[0]!.creditsLeft, 500_000 - 2);
  },
);

for (const [what, write] of Object.entries<(accounts: AccountStore) => Promise<unknown>>({
  'a new account': (accounts) => accounts.createKey({ email: 'new@example.com' }),
  'a new key': (accounts) => accounts.createKey({ email: 'a@example.com' }),
  'another plan': (accounts) => accounts.setPlan('a@example.com', 'pro'),
  credits: (accounts) => accounts.addCredits('a@example.com', 1),
}))
  t.test(`decision 70: a full Redis gives up short-lived keys for ${what}`, async (t) => {
    const { ledger, url } = await newLedgerForTest(t);
    const redis = plain(t, url);
    await ledger.accounts.createKey({ email: 'a@example.com' });
    await Promise.all(
      Array.from({ length: 5000 }, (_, n) => ledger.meter.charge(anonymousSubject(addressOf(n)), ONE)),
    );
    const before = (await redis.keys('*:ip:10.*')).length;
    await leave(redis, -100_000);
    await t.rejects(redis.set('more', 'x'), /OOM/);
    await t.resolves(write(ledger.accounts));
    t.ok((await redis.keys('*:ip:10.*')).length < before);
  });

t.test('decision 70: with nothing to delete, calls with a key are 503 and all others continue', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = plain(t, url);
  const { key, account } = await ledger.accounts.createKey({ email: 'a@example.com' });
  await leave(redis, -100_000);
  t.match(await ledger.meter.charge(accountSubject(account), ONE), { refused: 'unavailable' });
  await t.rejects(ledger.downloads.take(account.id, 'asn'), { code: 503 });
  t.notOk((await ledger.meter.charge(anonymousSubject('192.0.2.1'), ONE)).refused);
  t.match(await ledger.accounts.authenticate(key), { kind: 'account' }, 'keys can be checked');
  await redis.config('SET', 'maxmemory', '0');
  t.notOk((await ledger.meter.charge(accountSubject(account), ONE)).refused);
  for (let n = 0; n < 500 && (await redis.keys('*:ip:192.0.2.1*')).length === 0; n++) {
    await ledger.meter.count(anonymousSubject('192.0.2.1'));
    await sleep(20);
  }
  t.equal((await redis.keys('*:ip:192.0.2.1*')).length, 1, 'calls without a key are counted in Redis again');
});

t.test('decision 70: a policy that deletes accounts is logged once', async (t) => {
  const lines: string[] = [];
  const { ledger, url } = await newLedgerForTest(t, { log: (line) => lines.push(line) });
  const redis = plain(t, url);
  await redis.config('SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
  for (let n = 0; n < 500 && ledger.memory()?.policy !== 'allkeys-lru'; n++) await sleep(20);
  await sleep(1500);
  t.same(lines, [
    'Redis may delete accounts and credits: its maxmemory-policy is allkeys-lru, expected noeviction',
  ]);
  t.equal(ledger.memory()!.limitBytes, 100 * 1024 * 1024);
});

t.test('looking at the memory leaves nothing behind when it stops, and can be started again', async (t) => {
  const { url } = await newRedisForTest(t);
  const redis = new WatchedRedis({ url });
  t.teardown(() => {
    redis.close();
  });
  await redis.ready(10_000);
  const listeners = redis.client.listenerCount('ready');
  const memory = new RedisMemory(redis);
  for (let n = 0; n < 2; n++) {
    memory.start();
    memory.start();
    t.equal(redis.client.listenerCount('ready'), listeners + 1);
    if (n === 0) memory.stop();
  }
  for (let n = 0; n < 500 && memory.use === undefined; n++) await sleep(20);
  t.ok(memory.use!.usedBytes > 0, 'looks again after the second start');
  memory.stop();
  t.equal(redis.client.listenerCount('ready'), listeners);
});

t.test('INFO without figures is an error', (t) => {
  t.match(parseMemory('# Memory\r\nused_memory:17\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n'), {
    usedBytes: 17,
    limitBytes: 0,
    policy: 'noeviction',
  });
  t.throws(() => parseMemory('# Memory\r\nused_memory:17\r\n'), /has no used_memory or maxmemory/);
  t.end();
});
