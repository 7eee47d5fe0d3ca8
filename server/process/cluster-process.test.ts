import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { deadlineIn } from '../deadline.js';
import type { Finding } from '../doctor/check.js';
import { clusterChecks } from '../doctor/redis-cluster.js';
import { runChecks } from '../doctor/run-checks.js';
import { openForTest } from '../ledger/testing/ledger.js';
import { newClusterForTest } from '../ledger/testing/redis-cluster.js';
import { openNodeStore } from '../nodes/node-store.js';
import { place, testNodeStore } from '../nodes/testing/node-server.js';
import { runServer } from '../testing/running-server.js';

t.setTimeout(180_000);
const run = promisify(execFile);
const cluster = await newClusterForTest(t);

t.test('accounts and probe nodes of a single Redis are imported into a cluster', async (t) => {
  const { url } = await newRedisForTest(t);
  const before = await openForTest(t, url);
  const { key, account } = await before.accounts.createKey({ email: 'moved@example.com', plan: 'pro' });
  await before.accounts.addCredits('moved@example.com', -100);
  const old = await testNodeStore(t, url);
  const { token, node } = await old.add(place('fra-1'));
  const [target = ''] = cluster.urls;
  const options = ['--cluster-from', url.replace('redis://', ''), '--cluster-copy', '--cluster-replace'];
  await run('redis-cli', ['--cluster', 'import', target.replace('redis://', ''), ...options]);
  const after = await openForTest(t, cluster.urls);
  t.match(await after.accounts.authenticate(key), { kind: 'account', account });
  const moved = (await after.accounts.list()).find(({ email }) => email === 'moved@example.com');
  t.equal(moved?.creditsLeft, 49_900);
  for (const round of [1, 2]) {
    const opened = await openNodeStore({ urls: cluster.urls }, 10_000);
    t.match(await opened?.store.list(), [{ id: node.id, code: 'fra-1' }], `round ${round}`);
    t.match(await opened?.store.admit(token), { node: { id: node.id } });
    opened?.close();
  }
  t.match(await old.list(), [{ code: 'fra-1' }], 'the single Redis is unchanged');
});

t.test('a server with a cluster answers calls with a key, and its metrics count the masters', async (t) => {
  const server = await runServer(t, { redis: { urls: cluster.urls } });
  const ledger = await openForTest(t, cluster.urls);
  const { key } = await ledger.accounts.createKey({ email: 'server@example.com', plan: 'pro' });
  const answer = await server.get('/api/user/me', { Authorization: `Bearer ${key}` });
  t.match(answer.body, { code: 0, data: { email: 'server@example.com', plan: 'Pro' } });
  t.match((await server.get('/readyz')).body, { redis: 'up' });
  t.match(await server.running.metrics.registry.metrics(), /^ipatlas_redis_servers 3$/m);
});

const doctor = (urls: readonly string[]): Promise<readonly Finding[]> =>
  runChecks(clusterChecks({ name: 'cluster', address: { urls } }), {
    parallel: 1,
    checkMs: 10_000,
    deadline: deadlineIn(20_000),
    onFinding: () => undefined,
  });

t.test(
  'doctor reports the masters of a cluster, those without a replica, and slots without a master',
  async (t) => {
    t.match(await doctor(cluster.urls), [
      { name: 'Redis Cluster at cluster', state: 'ok', detail: 'masters: 3, each with a replica' },
    ]);
    t.match(await doctor(['redis://127.0.0.1:1']), [
      { state: 'broken', detail: /no server of a cluster answers/ },
    ]);
    t.same(clusterChecks({ name: 'single', address: { url: 'redis://127.0.0.1:1' } }), []);
    const bare = await newClusterForTest(t, { replicasOfEach: 0 });
    const [warning] = await doctor(bare.urls);
    t.match(warning, { state: 'warning', detail: /^masters: 3, without a replica: 127\.0\.0\.1:\d+, / });
    for (const { redis } of bare.servers) await redis.cluster('DELSLOTS', 0);
    t.match(await doctor(bare.urls), [{ state: 'broken', detail: /^.*1 of 16384 slots have no master$/ }]);
  },
);
