import { pino } from 'pino';
import t from 'tap';
import { FakeNode } from '../nodes/testing/fake-node.js';
import { place, testNodeStore } from '../nodes/testing/node-server.js';
import { until } from '../nodes/testing/until.js';
import { ScriptedNodes, type Script } from '../probe/testing/scripted-nodes.js';
import { DnsServer } from '../testing/dns-server.js';
import type { CheckedAnswer } from '../testing/checked-answer.js';
import { runServer } from '../testing/running-server.js';
import { UpstreamError } from '../upstream-error.js';
import { newCustomer } from './testing/callers.js';

const done: Script = { kind: 'done', ip: '1.1.1.1', rtts: [1.5, null, 2.5, 2] };
const nodes = new ScriptedNodes(
  new Map<string, Script>([
    ['jp-1', done],
    ['jp-2', done],
    ['de-1', done],
    ['cn-private', { kind: 'not-public' }],
    ['cn-lies', { kind: 'invalid' }],
    ['cn-lost', { kind: 'not-found' }],
    ['cn-silent', { kind: 'silent' }],
    ['cn-busy', { kind: 'refused' }],
    ['cn-gone', { kind: 'error', error: new UpstreamError('unreachable', 'Redis is gone') }],
    ['fr-busy', { kind: 'refused' }],
    ['fr-lies', { kind: 'invalid' }],
    ['fr-free', done],
  ]),
);
const dns = await DnsServer.start({
  'one.example.com': { addresses: ['1.1.1.1'] },
  'private.example.com': { addresses: ['10.0.0.1'] },
});
t.teardown(() => dns.close());
const server = await runServer(t, { dnsServers: [dns.address], parts: { nodes } });

const dataOf = ({ body }: CheckedAnswer) => (body as { data: Record<string, unknown> }).data;

t.test(
  "decisions 34 and 35: a node probes the host 4 times, and the answer has the node's registration",
  async (t) => {
    const customer = await newCustomer(server, 'free');
    const answer = await server.get(
      '/api/tcping/One.example.com:443?node=jp-1&count=9&timeout=100',
      customer.headers,
    );
    t.strictSame(dataOf(answer), {
      ...{ target: 'One.example.com:443', host: 'One.example.com', ip: '1.1.1.1', port: 443 },
      ...{ sent: 4, recv: 3, loss: 25, min: 1.5, max: 2.5, avg: 2, rtts: [1.5, null, 2.5, 2] },
      source: { type: 'node', code: 'jp-1', name: '节点 jp-1', country_code: 'JP', city: 'jp-1 City' },
    });
    const asked = nodes.asked.at(-1);
    t.match(asked, { code: 'jp-1', probe: { host: 'one.example.com', port: 443 } });
    t.ok(asked!.leftMs > 10_000 && asked!.leftMs <= 14_000);
    t.equal(await customer.credits(), 1000 - 4);
    t.equal(await customer.usedToday(), 1);
  },
);

t.test('decision 34: any node of a country may probe; a named node beats the country', async (t) => {
  const { headers } = await newCustomer(server, 'pro');
  const seen = new Set<unknown>();
  for (let i = 0; i < 60 && seen.size < 2; i++)
    seen.add(
      (dataOf(await server.get('/api/tcping/1.1.1.1?country=jP', headers))['source'] as { code: string })
        .code,
    );
  t.same([...seen].sort(), ['jp-1', 'jp-2']);
  for (const country of ['JP', 'garbage']) {
    const named = await server.get(`/api/tcping/1.1.1.1?country=${country}&node=de-1`, headers);
    t.match(dataOf(named), { source: { code: 'de-1', country_code: 'DE' } });
  }
});

t.test('if a node refuses or answers invalidly, another one of the country is used', async (t) => {
  const { headers } = await newCustomer(server, 'free');
  // Which node is tried first is drawn anew for each request.
  for (let i = 0; i < 30; i++)
    t.match(dataOf(await server.get('/api/tcping/1.1.1.1?country=FR', headers)), {
      source: { code: 'fr-free' },
    });
  for (const used of ['fr-busy', 'fr-lies']) t.ok(nodes.asked.some(({ code }) => code === used));
});

t.test('decision 34: an offline or unknown node is 404 with available countries, and free', async (t) => {
  const customer = await newCustomer(server, 'free');
  for (const query of ['node=xx-9', 'node=', 'node=JP-1', 'country=ZZ', 'node=xx-9&country=JP']) {
    const answer = await server.get(`/api/tcping/one.example.com?${query}`, customer.headers);
    t.equal(answer.status, 200);
    t.match(answer.body, { code: 404, msg: String }, query);
    t.strictSame((answer.body as Record<string, unknown>)['available_countries'], ['CN', 'DE', 'FR', 'JP']);
  }
  t.equal(await customer.credits(), 1000);
  t.equal(await customer.usedToday(), 0);
});

t.test('decisions 11, 33 and 34: each failure of a node has its code and costs nothing', async (t) => {
  const customer = await newCustomer(server, 'free');
  const failing = [
    ['cn-private', 200, 403],
    ['cn-lies', 502, 502],
    ['cn-lost', 200, 404],
    ['cn-silent', 504, 504],
    ['cn-busy', 502, 502],
    ['cn-gone', 502, 502],
  ] as const;
  for (const [node, status, code] of failing)
    t.match(
      await server.get(`/api/tcping/1.1.1.1?node=${node}`, customer.headers),
      { status, body: { code } },
      node,
    );
  t.equal(await customer.credits(), 1000);
  t.equal(await customer.usedToday(), 0);
});

t.test(
  'decision 65: the answer of a node for another address is 502, free, logged once and counted',
  async (t) => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    const real = await runServer(t, { nodeTimes: { pollMs: 100 }, allowLoopback: false, log });
    const { token } = await (await testNodeStore(t, real.redis.url)).add(place('liar'));
    const node = await FakeNode.ready(real.url, token);
    const customer = await newCustomer(real, 'free');
    await until('it is listed', async () =>
      JSON.stringify((await real.get('/api/nodes', customer.headers)).body).includes('liar'),
    );
    for (const ip of ['9.9.9.10', '::ffff:9.9.9.9', '10.0.0.1']) {
      const answering = real.get('/api/tcping/9.9.9.9:443?node=liar', customer.headers);
      const { id } = await node.received('job');
      node.send({ type: 'result', id, ip, rtts: [1, 1, 1, 1] });
      t.match(await answering, {
        status: 502,
        body: { code: 502, msg: 'the probe node gave an invalid answer' },
      });
    }
    t.equal(await customer.credits(), 1000);
    t.equal(await customer.usedToday(), 0);
    const logged = lines.filter((line) => line.includes('invalid answer: the address is not the probed one'));
    t.equal(logged.length, 1);
    const metrics = await real.running.metrics.registry.metrics();
    t.match(metrics, /ipatlas_node_events_total\{event="invalid_answer"\} 3/);
  },
);

t.test('decision 5: a private target is not sent to any node', async (t) => {
  const customer = await newCustomer(server, 'free');
  await customer.leaveCredits(3);
  const asked = nodes.asked.length;
  for (const target of ['10.0.0.1', 'private.example.com', '[fd00::1]:80', '169.254.169.254'])
    for (const query of ['node=jp-1', 'country=JP', 'country=ZZ']) {
      const answer = await server.get(`/api/tcping/${target}?${query}`, customer.headers);
      t.match(answer, { status: 200, body: { code: 403 } }, `${target} ${query}`);
    }
  const poor = await server.get('/api/tcping/1.1.1.1?node=jp-1&count=1', customer.headers);
  t.match(poor, { status: 402, body: { code: 402, credits_required: 4 } });
  t.equal(nodes.asked.length, asked);
});
