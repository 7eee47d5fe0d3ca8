import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { deadlineIn } from '../deadline.js';
import { WatchedRedis } from '../ledger/watched-redis.js';
import { NodeCounts } from './node-counts.js';
import { NodeHandshake, type HandshakeParts } from './node-handshake.js';
import { NodeHub } from './node-hub.js';
import { NodeStore } from './node-store.js';
import { NODE_TIMES } from './open-nodes.js';
import { asked } from './testing/asked-node.js';
import { FakeNode } from './testing/fake-node.js';
import { place, startNodeServer, testGuard, testNodeStore } from './testing/node-server.js';
import { until } from './testing/until.js';

const { url: redisUrl } = await newRedisForTest(t);
const store = await testNodeStore(t, redisUrl);
const TARGET = { host: 'example.com', port: 443 };

/** A store whose `hold` waits until it is released. */
class SlowStore extends NodeStore {
  isAsked = false;
  isHeld = false;
  release: () => void = () => undefined;

  override async hold(...args: Parameters<NodeStore['hold']>): ReturnType<NodeStore['hold']> {
    const released = new Promise<void>((resolve) => (this.release = resolve));
    this.isAsked = true;
    await released;
    const held = await super.hold(...args);
    this.isHeld = held === 'held';
    return held;
  }
}

/** Starts a hub without the rest of a server, on a free loopback port. */
async function startHub(t: Test, isHolding = false) {
  const redis = new WatchedRedis({ url: redisUrl });
  t.teardown(() => {
    redis.close();
  });
  await redis.ready(5000);
  const slow = new SlowStore(redis);
  const [counts, log] = [new NodeCounts(), () => undefined];
  const guard = await testGuard();
  const times = { ...NODE_TIMES, presenceMs: 600_000 };
  const hub = new NodeHub({ store: slow, process: 'here', times, counts, guard, log });
  const admissions: (() => void)[] = [];
  const onAdmitted: HandshakeParts['onAdmitted'] = (admitted, socket) => {
    admissions.push(() => {
      hub.add(admitted, socket);
    });
    if (!isHolding) for (const add of admissions.splice(0)) add();
  };
  const handshake = new NodeHandshake({ store: slow, counts, log, onAdmitted });
  const server = createServer().on('upgrade', (req, socket, head) => {
    void handshake.accept(req, socket, { head, source: 'test' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    await hub.drain(0);
    server.close();
  });
  return { hub, slow, admissions, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function connected(url: string, token: string): Promise<FakeNode> {
  const node = await FakeNode.connect(url, token);
  if (typeof node === 'number') throw new Error(String(node));
  return node;
}

t.test('the end of a replaced connection does not remove its successor', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const { token } = await store.add(place('replaced'));
  const first = await FakeNode.ready(server.url, token);
  await server.online('replaced');
  const second = await FakeNode.ready(server.url, token);
  t.match(await first.closed(), { code: 4001 });
  await until('the first connection has ended', () => server.nodes.connected() === 1);
  const { result, job } = await asked(server, second, 'replaced');
  second.send({ type: 'refused', id: job.id, reason: 'not-found' });
  t.same(await result, { kind: 'not-found' });
});

t.test('of two connections of a node the newer one stays, whichever is added first', async (t) => {
  for (const order of ['older first', 'newer first']) {
    const { hub, admissions, url } = await startHub(t, true);
    const { token } = await store.add(place(order.replace(' ', '-')));
    const nodes = [await connected(url, token), await connected(url, token)];
    const [older, newer] = nodes as [FakeNode, FakeNode];
    await until('both are admitted', () => admissions.length === 2);
    if (order === 'newer first') admissions.reverse();
    for (const add of admissions) add();
    t.match(await older.closed(), { code: 4001 }, order);
    await until('it has ended', () => hub.size === 1);
    newer.hello();
    t.ok(await newer.received('welcome'), order);
  }
});

t.test('a node that is not ready is not found and refuses jobs at once', async (t) => {
  const { hub, url } = await startHub(t);
  const { token, node: registered } = await store.add(place('unready'));
  t.same(await hub.run(registered.id, TARGET, deadlineIn(10_000)), { kind: 'refused' }, 'not connected');
  const node = await connected(url, token);
  await until('it is connected', () => hub.size === 1);
  const isRefused = async (state: string): Promise<void> => {
    t.equal(hub.find(registered.id), undefined, state);
    t.same(await hub.run(registered.id, TARGET, deadlineIn(10_000)), { kind: 'refused' }, state);
  };
  await isRefused('connected');
  node.hello();
  await node.received('welcome');
  await isRefused('self-test');
  node.send({ type: 'ready' });
  await until('it is ready', () => hub.find(registered.id) !== undefined);
  node.send({ type: 'goodbye', reason: 'enough' });
  await until('it is leaving', () => hub.find(registered.id) === undefined);
  await isRefused('leaving');
});

t.test('a node that leaves while Redis is being updated does not stay listed', async (t) => {
  const { hub, slow, url } = await startHub(t);
  const { token, node: registered } = await store.add(place('gone'));
  const node = await FakeNode.ready(url, token);
  await until('Redis is being updated', () => slow.isAsked);
  node.send({ type: 'goodbye', reason: 'enough' });
  await until('it is leaving', () => hub.find(registered.id) === undefined);
  slow.release();
  await until('it is listed', () => slow.isHeld);
  const find = async () => (await store.list()).find(({ code }) => code === 'gone');
  await until('it is removed', async () => (await find())?.presence === undefined);
  t.equal((await find())?.lastSeen, undefined, 'it was not seen as a ready node');
});
