import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { start } from '../../pipeline/testing/command-line.js';
import type { TestServer } from '../testing/running-server.js';
import { runServer } from '../testing/running-server.js';
import type { OnlineNode } from './probe-node.js';
import { place, testNodeStore } from './testing/node-server.js';
import { startTestAgent } from './testing/test-agent.js';
import { until } from './testing/until.js';

const SETTINGS = { nodeTimes: { pollMs: 100 }, trustedProxies: ['127.0.0.1'] };
let asked = 0;

/** Lists nodes as a new caller each time, because each has a limit of sixty requests a minute. */
async function codes(server: TestServer): Promise<string[]> {
  const { body } = await server.get('/api/nodes', {
    'X-Forwarded-For': `1.1.${asked >> 8}.${asked++ & 255}`,
  });
  return (body as { data: OnlineNode[] }).data.map(({ code }) => code);
}

/** Starts a target that accepts connections and returns its port. */
async function target(t: Test, onConnection: () => void): Promise<number> {
  const server = createServer((socket) => {
    onConnection();
    socket.on('error', () => undefined).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

t.test(
  'decision 34: with two servers and three agents every server reaches every node, also after one is killed',
  async (t) => {
    const a = await runServer(t, SETTINGS);
    const b = await a.another();
    const store = await testNodeStore(t, a.redis.url);
    const tokens = await Promise.all(
      ['killed', 'elsewhere', 'moving'].map(async (code) => (await store.add(place(code))).token),
    );
    const [killed = '', elsewhere = '', moving = ''] = tokens;
    const settings = { PROBE_TOKEN: killed, ALLOW_LOOPBACK: 'true', REDIS_URL: '' };
    const child = start(t, settings, 'probe-agent', '--server', a.url.replace('http', 'ws'));
    await startTestAgent(t, { servers: [b.url], token: elsewhere });
    await startTestAgent(t, { servers: [b.url, a.url], token: moving });
    for (const server of [a, b])
      await until('all are online', async () => (await codes(server)).length === 3);

    const Authorization = `Bearer ${await a.key('pro')}`;
    const port = await target(t, () => child.child.emit('reached'));
    const probe = (server: TestServer, node: string) =>
      server.get(`/api/tcping/127.0.0.1:${port}?node=${node}`, { Authorization });
    for (const [server, node] of [
      [a, 'killed'],
      [b, 'killed'],
      [a, 'elsewhere'],
      [a, 'moving'],
    ] as const) {
      const answer = await probe(server, node);
      t.equal(answer.status, 200, `${node}: ${JSON.stringify(answer.body)}`);
      t.match(answer.body, { code: 0, data: { ip: '127.0.0.1', port } });
    }

    const reached = once(child.child, 'reached');
    const answer = probe(b, 'killed');
    await reached;
    child.child.kill('SIGKILL');
    t.match((await answer).body, { code: 504 });
    for (const server of [a, b])
      await until('it is offline', async () => !(await codes(server)).includes('killed'));

    await b.running.stop(5000);
    await until('one has moved', async () => (await codes(a)).join() === 'moving');
    t.match((await probe(a, 'moving')).body, { code: 0 });
    t.match((await probe(a, 'elsewhere')).body, { code: 404, available_countries: ['DE'] });
  },
);
