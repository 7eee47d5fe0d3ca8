import { once } from 'node:events';
import t, { type Test } from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { NodeError } from './node-store.js';
import { asked } from './testing/asked-node.js';
import { FakeNode } from './testing/fake-node.js';
import { place, startNodeServer, testNodeStore } from './testing/node-server.js';
import { until } from './testing/until.js';
import { newNodeToken } from './node-token.js';

const { url: redisUrl } = await newRedisForTest(t);
const store = await testNodeStore(t, redisUrl);
const RTTS = [1.25, null, 2, 3];

/** Registers a node and returns its token. */
async function token(code: string): Promise<string> {
  return (await store.add(place(code))).token;
}

t.test("a ready node is listed with its operator's data and receives jobs", async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const node = await FakeNode.connect(server.url, await token('listed'));
  if (typeof node === 'number') throw new Error(String(node));
  node.hello();
  t.match(await node.received('welcome'), { code: 'listed', heartbeatMs: 3000 });
  t.same(server.nodes.relay.online(), [], 'not before its self-test');
  node.send({ type: 'ready' });
  const listed = await server.online('listed');
  t.match(listed, { ...place('listed'), ipv6: 1, agent_version: '1.2.3', status: 1 });
  t.match(listed.last_seen, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const { result, job } = await asked(server, node, 'listed');
  t.match(job, { host: 'example.com', port: 443 });
  t.ok(job.leftMs <= 10_000 && job.leftMs > 0);
  node.send({ type: 'ack', id: job.id });
  node.send({ type: 'result', id: job.id, ip: '93.184.216.34', rtts: RTTS });
  t.same(await result, { kind: 'done', ip: '93.184.216.34', rtts: RTTS });
});

t.test('a node that became ready in time stays after that time', async (t) => {
  const server = await startNodeServer(t, redisUrl, { times: { readyMs: 2000, heartbeatMs: 1000 } });
  const node = await FakeNode.ready(server.url, await token('in-time'));
  for (let pings = 0; pings < 3; pings++) await node.received('ping');
  t.match(await server.online('in-time'), { code: 'in-time' });
});

t.test(
  'wrong tokens are rejected before the upgrade, and many from one source are blocked for a while',
  async (t) => {
    const server = await startNodeServer(t, redisUrl);
    t.equal(await FakeNode.connect(server.url, 'nonsense'), 401);
    for (let i = 0; i < 19; i++) t.equal(await FakeNode.connect(server.url, newNodeToken()), 401);
    t.equal(await FakeNode.connect(server.url, await token('late')), 429);
    t.equal(server.nodes.counts.of('refused_handshake'), 21);
  },
);

t.test('of two connections with one token the newer one stays, on one server and on two', async (t) => {
  const [a, b] = [await startNodeServer(t, redisUrl), await startNodeServer(t, redisUrl)];
  const secret = await token('twice');
  const first = await FakeNode.ready(a.url, secret);
  await a.online('twice');
  const second = await FakeNode.ready(a.url, secret);
  t.match(await first.closed(), { code: 4001 });
  const third = await FakeNode.ready(b.url, secret);
  t.match(await second.closed(), { code: 4001 });
  await a.online('twice');
  const { result, job } = await asked(a, third, 'twice');
  third.send({ type: 'refused', id: job.id, reason: 'busy' });
  t.same(await result, { kind: 'refused' });
});

t.test('removing a node or rotating its token closes its connection and rejects the old token', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const secret = await token('removed');
  const node = await FakeNode.ready(server.url, secret);
  await server.online('removed');
  const { token: newer } = await store.rotate('removed');
  t.match(await node.closed(), { code: 4003 });
  t.equal(await FakeNode.connect(server.url, secret), 401);
  const again = await FakeNode.ready(server.url, newer);
  const { id } = await server.online('removed');
  const { result } = await asked(server, again, 'removed');
  await store.remove(String(id));
  t.match(await again.closed(), { code: 4003 });
  t.same(await result, { kind: 'silent' });
  t.equal(await FakeNode.connect(server.url, newer), 401);
  await t.rejects(store.remove('removed'), NodeError);
});

t.test('an outdated agent or protocol is disconnected', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  for (const [version, protocol] of [
    ['0.9.9', 1],
    ['1.0.0', 2],
  ] as const) {
    const node = await FakeNode.connect(server.url, await token(`old-${protocol}`));
    if (typeof node === 'number') throw new Error(String(node));
    node.hello(version, protocol);
    t.match(await node.closed(), { code: 4004 });
  }
});

t.test('a node that misses a ping or is not ready in time is disconnected', async (t) => {
  const mute = await startNodeServer(t, redisUrl, { times: { heartbeatMs: 200 } });
  const node = await FakeNode.ready(mute.url, await token('mute'));
  await mute.online('mute');
  node.answersPings = false;
  t.match(await node.closed(), { code: 1006 });
  await mute.offline('mute');
  const impatient = await startNodeServer(t, redisUrl, { times: { readyMs: 50 } });
  const silent = await FakeNode.connect(impatient.url, await token('silent'));
  if (typeof silent === 'number') throw new Error(String(silent));
  t.match(await silent.closed(), { code: 1006 });
});

t.test('a live node stays listed by its heartbeats', async (t) => {
  const server = await startNodeServer(t, redisUrl, {
    times: { heartbeatMs: 300, presenceMs: 1500, seenMs: 0 },
  });
  const node = await FakeNode.ready(server.url, await token('alive'));
  const first = await server.online('alive');
  for (let beats = 0; beats < 7; beats++) await node.received('ping');
  await until('last_seen is updated', () =>
    server.nodes.relay.online().some((listed) => listed.last_seen > first.last_seen),
  );
});

t.test('unexpected, duplicate and late answers are dropped, and counted as bad or late', async (t) => {
  const server = await startNodeServer(t, redisUrl, { times: { answerMs: 300 } });
  const node = await FakeNode.ready(server.url, await token('honest'));
  const other = await FakeNode.ready(server.url, await token('thief'));
  await server.online('thief');
  const { result, job } = await asked(server, node, 'honest');
  const answer = { type: 'result', id: job.id, ip: '93.184.216.34', rtts: RTTS };
  other.send(answer);
  other.send({ ...answer, id: 'never-asked' });
  await until('both are counted', () => server.nodes.counts.of('bad_message') === 2);
  t.same(await result, { kind: 'silent' }, 'decision 34: no answer in time');
  node.send(answer);
  await until('it is counted', () => server.nodes.counts.of('late_answer') === 1);
  const { result: next, job: nextJob } = await asked(server, node, 'honest');
  node.send({ ...answer, id: nextJob.id });
  t.match(await next, { kind: 'done' });
  node.send({ ...answer, id: nextJob.id });
  await until('it is counted', () => server.nodes.counts.of('bad_message') === 3);
  t.equal(server.nodes.counts.of('late_answer'), 1);
});

t.test('a job without acknowledgement is given up early', async (t) => {
  const server = await startNodeServer(t, redisUrl, { times: { ackMs: 50 } });
  const node = await FakeNode.ready(server.url, await token('idle'));
  const { result } = await asked(server, node, 'idle');
  t.same(await result, { kind: 'silent' });
});

const GARBAGE: readonly (readonly [string, unknown])[] = [
  ['invalid JSON', '{'],
  ['not an object', '[]'],
  ['unknown type', { type: 'shutdown' }],
  ['missing fields', { type: 'hello', protocol: 1, version: 'x' }],
  ['rtts of a wrong type', { type: 'result', id: 'x', ip: '1.1.1.1', rtts: ['1', 2, 3, 4] }],
  ['too few rtts', { type: 'result', id: 'x', ip: '1.1.1.1', rtts: [1] }],
  ['unexpected pong', { type: 'pong', count: 99 }],
  ['ready twice', { type: 'ready' }],
  ['hello twice', { type: 'hello', protocol: 1, version: '1.2.3', capabilities: { ipv6: true } }],
  ['empty', ''],
];

t.test('invalid messages are counted and ignored, and too many end the connection', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const node = await FakeNode.ready(server.url, await token('garbler'));
  const { result, job } = await asked(server, node, 'garbler');
  for (const [, message] of GARBAGE.slice(0, 9)) node.send(message);
  node.send({ type: 'refused', id: job.id, reason: 'not-found' });
  t.same(await result, { kind: 'not-found' });
  t.equal(server.nodes.counts.of('bad_message'), 9);
  node.send('');
  t.match(await node.closed(), { code: 1008 });
  t.equal(server.lines.filter((line) => line.includes(': invalid message: ')).length, 1, 'logged once');
});

t.test('a message of a megabyte ends the connection', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const node = await FakeNode.ready(server.url, await token('shouter'));
  await server.online('shouter');
  node.send('x'.repeat(1 << 20));
  t.match(await node.closed(), { code: /1009|1006/ });
  await server.offline('shouter');
  t.equal(server.nodes.counts.of('bad_message'), 1);
});

t.test('a draining server waits for jobs, rejects new nodes, and disconnects its own', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const secret = await token('drained');
  const node = await FakeNode.ready(server.url, secret);
  const { result, job } = await asked(server, node, 'drained');
  const drained = server.nodes.drain(10_000);
  await server.offline('drained');
  t.equal(await FakeNode.connect(server.url, secret), 503);
  node.send({ type: 'result', id: job.id, ip: '93.184.216.34', rtts: RTTS });
  t.match(await result, { kind: 'done' });
  t.match(await node.closed(), { code: 1012 });
  await drained;
  t.equal(server.nodes.connected(), 0);
});

t.test('a node that says goodbye gets no new jobs and may finish its own', async (t: Test) => {
  const server = await startNodeServer(t, redisUrl);
  const node = await FakeNode.ready(server.url, await token('leaver'));
  const { result, job } = await asked(server, node, 'leaver');
  node.send({ type: 'goodbye', reason: 'enough' });
  await server.offline('leaver');
  node.send({ type: 'refused', id: job.id, reason: 'not-public' });
  t.same(await result, { kind: 'not-public' });
  node.socket.terminate();
  await once(node.socket, 'close');
});
