import { setTimeout as sleep } from 'node:timers/promises';
import keySlot from 'cluster-key-slot';
import t from 'tap';
import { ChargedAccounts, lostOf, untilReplicated } from '../testing/charged-accounts.js';
import { openForTest, untilSeen } from '../testing/ledger.js';
import { newClusterForTest } from '../testing/redis-cluster.js';
import { WatchedCluster } from './watched-cluster.js';

t.setTimeout(180_000);
const cluster = await newClusterForTest(t, { nodeTimeoutMs: 3000 });

t.test('a killed master loses only calls that its replica had not received', async (t) => {
  const lines: string[] = [];
  const ledger = await openForTest(t, cluster.urls, { log: (line) => lines.push(line) });
  const accounts = new ChargedAccounts(cluster, ledger, { first: 1, count: 40 });
  const before = 5;
  for (let i = 0; i < before; i++) await accounts.chargeAll();
  await Promise.all((await cluster.masters()).map(untilReplicated));
  const victim = await cluster.masterOf(keySlot('ipatlas:{nodes}'));
  const survivors = (await cluster.masters()).filter((server) => server !== victim);
  const load = { isOver: false };
  const callers = (async () => {
    while (!load.isOver) await accounts.chargeAll();
    // The service goes on for all accounts.
    while (!(await accounts.chargeAll())) await sleep(20);
  })();
  await sleep(50);
  await victim.kill();
  const killedMs = performance.now();
  await cluster.settled();
  load.isOver = true;
  await callers;
  const heirs = (await cluster.masters()).filter((server) => !survivors.includes(server));
  t.not(heirs[0], victim);
  const lost = await accounts.chargesAt(heirs);
  t.ok(lost.length > 0, 'it had accounts');
  t.ok(
    lost.every(({ charged }) => charged > before),
    'what its replica had received is kept',
  );
  t.ok(
    lost.every(({ admittedMs, undecidedMs, charged }) => charged <= admittedMs.length + undecidedMs.length),
  );
  const kept = await accounts.chargesAt(survivors);
  t.ok(
    kept.every(
      ({ admittedMs, undecidedMs, charged }) =>
        admittedMs.length <= charged && charged <= admittedMs.length + undecidedMs.length,
    ),
    'the other masters lose nothing',
  );
  t.comment(`admitted but lost: ${lost.flatMap((charges) => lostOf(charges, killedMs)).length}`);
  const states = (): string[] => lines.filter((line) => line.startsWith('Redis is'));
  while (states().length < 2) await sleep(10);
  t.match(states(), [/^Redis is unreachable: /, /^Redis is reachable again$/]);
  await victim.restart();
  t.equal(await accounts.chargeAll(), true, 'the old master returns as a replica');
});

t.test('messages and keys of other processes survive the death of the home', async (t) => {
  const [one, other] = [await openForTest(t, cluster.urls), await openForTest(t, cluster.urls)];
  const redis = new WatchedCluster(cluster.urls);
  t.teardown(() => {
    redis.close();
  });
  await redis.ready(10_000);
  const link = { isUp: false };
  const isUp = (): boolean => link.isUp;
  const close = redis.subscribe({
    channels: ['test'],
    onMessage: () => undefined,
    onSubscribed: () => (link.isUp = true),
    onLost: () => (link.isUp = false),
  });
  t.teardown(close);
  while (!isUp()) await sleep(10);
  const { key } = await one.accounts.createKey({ email: 'a@example.com', plan: 'pro' });
  t.match(await untilSeen(other, key), { kind: 'account' });
  await Promise.all((await cluster.masters()).map(untilReplicated));
  await (await cluster.masterOf(keySlot('ipatlas:{nodes}'))).kill();
  await cluster.settled();
  for (const ledger of [one, other]) t.equal(await ledger.ready(30_000), true);
  while (!isUp() || !redis.isReady) await sleep(10);
  t.equal(await redis.publish('test', 'hello'), 1);
  t.match(await untilSeen(other, key), { kind: 'account' });
  await one.accounts.revokeKey(key);
  // The message arrives, or a subscription that begins later clears the cache.
  while ((await other.accounts.authenticate(key)).kind !== 'invalid') await sleep(10);
});
