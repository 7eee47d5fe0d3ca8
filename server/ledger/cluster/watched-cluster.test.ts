import keySlot from 'cluster-key-slot';
import t from 'tap';
import { newClusterForTest } from '../testing/redis-cluster.js';
import { nodeKeys } from '../../nodes/node-records.js';
import { openForTest, subjectOf } from '../testing/ledger.js';
import { WatchedCluster } from './watched-cluster.js';

t.setTimeout(120_000);
const cluster = await newClusterForTest(t, { replicasOfEach: 0 });
const open = (lines: string[] = []) => {
  const redis = new WatchedCluster(cluster.urls.slice(0, 1), (line) => lines.push(line));
  t.teardown(() => {
    redis.close();
  });
  return redis;
};

t.test('one server is enough to find the others, and starting logs nothing', async (t) => {
  const lines: string[] = [];
  const redis = open(lines);
  t.equal(await redis.ready(10_000), true);
  t.equal(redis.servers().length, 3);
  t.same(lines, []);
});

t.test('accounts, keys, limits and usage work on every master', async (t) => {
  const ledger = await openForTest(t, cluster.urls);
  const { accounts, meter } = ledger;
  const created = await Promise.all(
    Array.from({ length: 30 }, (_, i) => accounts.createKey({ email: `${i}@example.com`, plan: 'pro' })),
  );
  for (const { key, account } of created) {
    t.match(await accounts.authenticate(key), { kind: 'account', account });
    const subject = subjectOf(account.id, { requestsPerDay: 3, creditsPerMonth: 50_000 });
    const calls = Array.from({ length: 5 }, () => meter.charge(subject, { credits: 1 }));
    const refusals = (await Promise.all(calls)).map(({ refused }) => refused);
    t.same(refusals, [undefined, undefined, undefined, 'day', 'day']);
    t.equal((await ledger.usage.usageOf(account.id)).today, 3);
  }
  t.ok((await accounts.list()).every(({ creditsLeft }) => creditsLeft === 49_997));
  const sizes = await Promise.all(cluster.servers.map(({ redis }) => redis.dbsize()));
  t.ok(
    sizes.every((size) => size > 0),
    'each master has keys',
  );
});

t.test('a key that is revoked in one process is invalid in another', async (t) => {
  const [one, other] = [await openForTest(t, cluster.urls), await openForTest(t, cluster.urls)];
  const { key } = await one.accounts.createKey({ email: 'revoked@example.com' });
  while ((await other.accounts.authenticate(key)).kind !== 'account') continue;
  await one.accounts.revokeKey(key);
  while ((await other.accounts.authenticate(key)).kind !== 'invalid')
    await new Promise((resolve) => setImmediate(resolve));
  t.match(await other.accounts.authenticate(key), { kind: 'invalid' });
});

t.test('a message is published to all subscribers, and reports how many there are', async (t) => {
  const redis = open();
  await redis.ready(10_000);
  t.equal(await redis.publish('test', 'before'), 0);
  const texts: string[] = [];
  const closers: (() => void)[] = [];
  for (const i of [1, 2])
    await new Promise<void>((resolve) => {
      closers.push(
        redis.subscribe({
          channels: ['test'],
          onMessage: (channel, text) => texts.push(`${i} ${channel} ${text}`),
          onSubscribed: resolve,
        }),
      );
    });
  t.equal(await redis.publish('test', 'hello'), 2);
  while (texts.length < 2) await new Promise((resolve) => setImmediate(resolve));
  t.same(texts.sort(), ['1 test hello', '2 test hello']);
  for (const close of closers) close();
});

t.test('the keys of probe nodes have one slot in a cluster and their old names without one', (t) => {
  const keys = nodeKeys(true);
  const names = [...Object.values(keys).filter((key) => typeof key === 'string'), keys.presence(1)];
  t.equal(new Set(names.map((key: string) => keySlot(key))).size, 1);
  t.equal(nodeKeys(false).registered, 'ipatlas:nodes:registered');
  t.end();
});

t.test('without a connection every command fails at once, and the loss is logged once', async (t) => {
  const lines: string[] = [];
  const redis = new WatchedCluster(['redis://127.0.0.1:1'], (line) => lines.push(line));
  t.teardown(() => {
    redis.close();
  });
  t.equal(await redis.ready(600), false);
  t.notOk(redis.isReadyFor('ipatlas:{s1}'));
  await t.rejects(redis.watched(redis.client.get('a')));
  t.equal(lines.length, 1);
  t.match(lines[0], /^Redis is unreachable: .*127\.0\.0\.1:1/);
});

t.test('a frozen master fails its own commands in time, those of the others continue', async (t) => {
  const redis = open();
  await redis.ready(10_000);
  const frozen = await cluster.masterOf(keySlot('a'));
  const keys = Array.from({ length: 50 }, (_, i) => `key:${i}`);
  const masters = await Promise.all(keys.map((key) => cluster.masterOf(keySlot(key))));
  const elsewhere = keys.find((_, i) => masters[i] !== frozen)!;
  process.kill(frozen.pid(), 'SIGSTOP');
  t.teardown(() => process.kill(frozen.pid(), 'SIGCONT'));
  const refused = redis.watched(redis.client.get('a')).then(
    () => 'answered',
    () => 'failed',
  );
  t.equal(await redis.watched(redis.client.get(elsewhere)), null);
  t.equal(await refused, 'failed');
  while (redis.isReadyFor('a')) await new Promise((resolve) => setTimeout(resolve, 10));
  t.equal(redis.isReady, false);
  t.equal(redis.isReadyFor(elsewhere), true);
  process.kill(frozen.pid(), 'SIGCONT');
  t.equal(await redis.ready(20_000), true);
});

t.test('keys of accounts have the names that they have in a single Redis', async (t) => {
  const all = (await Promise.all(cluster.servers.map(({ redis }) => redis.keys('ipatlas:*')))).flat();
  t.ok(all.includes('ipatlas:keys'));
  t.ok(all.some((key) => /^ipatlas:\{s\d+\}account:1$/.test(key)));
});
