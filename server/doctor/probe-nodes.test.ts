import t from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { deadlineIn } from '../deadline.js';
import { place, testNodeStore } from '../nodes/testing/node-server.js';
import { examineNodes, type NodesRedis } from './probe-nodes.js';

const look = (registered: NodesRedis) =>
  examineNodes(registered, {
    parallel: 2,
    checkMs: 1500,
    deadline: deadlineIn(10_000),
    onFinding: () => undefined,
  });

t.test('a registered node is online, or broken with the time it was last seen', async (t) => {
  const { url } = await newRedisForTest(t);
  const registered = { name: 'redis', address: { url } };
  t.match(await look(registered), [{ name: 'Redis at redis', state: 'ok', detail: 'answers, no nodes' }]);
  const registry = await testNodeStore(t, url);
  await registry.add(place('never'));
  const { node } = await registry.add(place('gone'));
  await registry.seen(node.id, new Date(0));
  const { token } = await registry.add(place('here'));
  const admitted = (await registry.admit(token))!;
  const presence = { connection: admitted.connection, process: 'p', version: '1.2.3', ipv6: false };
  await registry.hold(admitted, presence, 60_000);
  t.match(await look(registered), [
    { detail: 'answers, nodes: 3' },
    { name: /^never /, state: 'broken', detail: 'never online' },
    { name: /^gone /, state: 'broken', detail: 'offline, last seen 1970-01-01T00:00:00.000Z' },
    { name: /^here /, state: 'ok', detail: 'online, agent 1.2.3' },
  ]);
});

t.test('an unreachable Redis is a finding, without a long wait', async (t) => {
  const began = performance.now();
  const silent = await look({ name: 'redis', address: { url: 'redis://127.0.0.1:1' } });
  t.match(silent, [{ group: 'Probe nodes', state: 'broken', detail: 'no answer' }]);
  t.ok(performance.now() - began < 8000);
  const missing = await look({ name: 'output/accounts', failure: 'redis-server is missing' });
  t.match(missing, [
    { name: 'Redis at output/accounts', state: 'broken', detail: 'redis-server is missing' },
  ]);
});
