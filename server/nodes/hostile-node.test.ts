import { once } from 'node:events';
import t from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { asked } from './testing/asked-node.js';
import { FakeNode } from './testing/fake-node.js';
import { place, startNodeServer, testGuard, testNodeStore } from './testing/node-server.js';
import { until } from './testing/until.js';

const { url: redisUrl } = await newRedisForTest(t);
const store = await testNodeStore(t, redisUrl);
const RTTS = [1.25, null, 2, 3000];
const FLOOD = 20_000;

async function token(code: string): Promise<string> {
  return (await store.add(place(code))).token;
}

t.test('decision 65: the answer for an address must name this address in canonical text', async (t) => {
  const server = await startNodeServer(t, redisUrl, { guard: await testGuard(false) });
  const node = await FakeNode.ready(server.url, await token('elsewhere'));
  const answers = [
    ['9.9.9.9', '9.9.9.10'],
    ['9.9.9.9', '::ffff:9.9.9.9'],
    ['9.9.9.9', '2620:fe::9'],
    ['9.9.9.9', 'dns.quad9.net'],
    ['2620:fe::9', '2620:fe::fe'],
    ['2620:fe::9', '2620:fe:0::9'],
    ['2620:fe::9', '2620:FE::9'],
    ['2620:fe::9', '2620:fe::9%eth0'],
  ] as const;
  for (const [host, ip] of answers) {
    const { result, job } = await asked(server, node, 'elsewhere', host);
    node.send({ type: 'result', id: job.id, ip, rtts: RTTS });
    t.same(await result, { kind: 'invalid' }, `${host}: ${ip}`);
  }
  t.equal(server.nodes.counts.of('invalid_answer'), answers.length);
  const lines = server.lines.filter((line) => line.includes('invalid answer'));
  t.same(lines, ['node elsewhere: invalid answer: the address is not the probed one'], 'logged once');
  for (const host of ['9.9.9.9', '2620:fe::9']) {
    const { result, job } = await asked(server, node, 'elsewhere', host);
    node.send({ type: 'result', id: job.id, ip: host, rtts: RTTS });
    t.same(await result, { kind: 'done', ip: host, rtts: RTTS });
  }
});

t.test(
  'decisions 33 and 65: the answer for a name must be a public address that is not denied',
  async (t) => {
    const guard = await testGuard(false, ['9.9.9.0/24']);
    const server = await startNodeServer(t, redisUrl, { guard });
    const node = await FakeNode.ready(server.url, await token('liar'));
    const wrong = [
      '10.0.0.1',
      '127.0.0.1',
      '9.9.9.9',
      '::ffff:8.8.8.8',
      '64:ff9b::a00:1',
      '2620:FE::9',
      'a.b',
      '',
    ];
    for (const ip of wrong) {
      const { result, job } = await asked(server, node, 'liar');
      node.send({ type: 'result', id: job.id, ip, rtts: RTTS });
      t.same(await result, { kind: 'invalid' }, ip);
    }
    t.equal(server.nodes.counts.of('invalid_answer'), wrong.length);
  },
);

t.test('decision 65: a time longer than an attempt, or a wrong count of times, is no answer', async (t) => {
  const server = await startNodeServer(t, redisUrl, { times: { answerMs: 500 } });
  const node = await FakeNode.ready(server.url, await token('slow'));
  for (const [rtts, kind] of [
    [[1, 2, 3, 3000.01], 'invalid'],
    [[1, 2, 3, 1e300], 'invalid'],
    [[1, 2, 3, -1], 'silent'],
    [[1, 2, 3], 'silent'],
    [[1, 2, 3, 4, 5], 'silent'],
    [[0, null, 3000, 1], 'done'],
  ] as const) {
    const { result, job } = await asked(server, node, 'slow');
    node.send({ type: 'result', id: job.id, ip: '93.184.216.34', rtts });
    t.match(await result, { kind }, JSON.stringify(rtts));
  }
});

t.test('20,000 goodbyes are one line in the log, and the second one ends the connection', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const node = await FakeNode.ready(server.url, await token('goodbyes'));
  await server.online('goodbyes');
  const linesBefore = server.lines.length;
  for (let i = 0; i < FLOOD; i++) node.send({ type: 'goodbye', reason: 'enough' });
  t.match(await node.closed(), { code: 1008, reason: 'second goodbye' });
  await until('the server has closed the connection', () => server.nodes.connected() === 0);
  t.same(server.lines.slice(linesBefore), ['node goodbyes is leaving: enough']);
  t.equal(server.nodes.counts.of('bad_message'), 1, 'later messages are not read');
});

const FLOODS: Readonly<Record<string, unknown>> = {
  ack: { type: 'ack', id: 'never-sent' },
  refused: { type: 'refused', id: 'never-sent', reason: 'busy' },
  result: { type: 'result', id: 'never-sent', ip: '1.1.1.1', rtts: RTTS },
  pong: { type: 'pong', count: 4711 },
  unknown: { type: 'shutdown' },
};

t.test('20,000 messages that answer nothing are one line in the log, and end the connection', async (t) => {
  for (const [code, message] of Object.entries(FLOODS)) {
    const server = await startNodeServer(t, redisUrl);
    const node = await FakeNode.ready(server.url, await token(`flood-${code}`));
    await server.online(`flood-${code}`);
    for (let i = 0; i < FLOOD; i++) node.send(message);
    t.match(await node.closed(), { code: 1008, reason: '10 invalid messages' }, code);
    await until('the server has closed the connection', () => server.nodes.connected() === 0);
    t.equal(server.lines.filter((line) => line.includes(': invalid message: ')).length, 1, code);
    t.ok(server.lines.length <= 4, `${server.lines.length} lines`);
    t.equal(server.nodes.counts.of('bad_message'), 10, 'later messages are not read');
  }
});

t.test('a job takes one acknowledgement and one answer, also late ones', async (t) => {
  const server = await startNodeServer(t, redisUrl, { times: { ackMs: 50 } });
  const node = await FakeNode.ready(server.url, await token('twice'));
  const { result, job } = await asked(server, node, 'twice');
  t.same(await result, { kind: 'silent' });
  const ack = { type: 'ack', id: job.id };
  const answer = { type: 'refused', id: job.id, reason: 'busy' };
  node.send(ack);
  node.send(answer);
  await until('the answer is counted', () => server.nodes.counts.of('late_answer') === 1);
  t.equal(server.nodes.counts.of('bad_message'), 0, 'being late is not a fault');
  node.send(answer);
  await until('the second is counted', () => server.nodes.counts.of('bad_message') === 1);
  const next = await asked(server, node, 'twice');
  for (let i = 0; i < 3; i++) node.send({ type: 'ack', id: next.job.id });
  await until('two are counted', () => server.nodes.counts.of('bad_message') === 3);
});

t.test('a flood of WebSocket pings ends the connection', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const node = await FakeNode.ready(server.url, await token('pinger'));
  // One at a time: ws itself ends connections with many unanswered pings.
  for (let i = 0; i < 200 && node.socket.readyState === node.socket.OPEN; i++) {
    node.socket.ping();
    await Promise.race([once(node.socket, 'pong'), node.closed()]);
  }
  t.match(await node.closed(), { code: 1008, reason: '10 invalid messages' });
});

t.test('a node that stays after its goodbye is disconnected', async (t) => {
  const server = await startNodeServer(t, redisUrl, { times: { leaveMs: 50 } });
  const node = await FakeNode.ready(server.url, await token('stayer'));
  await server.online('stayer');
  node.send({ type: 'goodbye', reason: 'maybe' });
  t.match(await node.closed(), { code: 1008, reason: 'still connected after its goodbye' });
});

t.test('a node that connects in a loop is refused for a while', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const [looping, calm] = [await token('looping'), await token('calm')];
  for (let i = 0; i < 30; i++) t.not(typeof (await FakeNode.connect(server.url, looping)), 'number');
  t.equal(await FakeNode.connect(server.url, looping), 429);
  t.equal(server.nodes.counts.of('refused_handshake'), 1);
  t.not(typeof (await FakeNode.connect(server.url, calm)), 'number', 'other nodes are not affected');
});
