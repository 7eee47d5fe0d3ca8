import t from 'tap';
import { freePort } from '../../../pipeline/testing/free-port.js';
import { newRedisForTest } from '../../../pipeline/testing/redis-server.js';
import { deadlineIn } from '../../deadline.js';
import type { Prober, RoundTrips } from '../../probe/prober.js';
import { newNodeToken } from '../node-token.js';
import { place, startNodeServer, testNodeStore } from '../testing/node-server.js';
import { startTestAgent } from '../testing/test-agent.js';
import { until } from '../testing/until.js';
import { AgentError, selfTestAt } from './probe-agent.js';

const { url: redisUrl } = await newRedisForTest(t);
const store = await testNodeStore(t, redisUrl);

async function newToken(code: string): Promise<string> {
  return (await store.add(place(code))).token;
}

t.test('a stopping agent finishes its jobs and is no longer listed', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  let end: (rtts: RoundTrips) => void = () => undefined;
  let isTried = false;
  const prober: Prober = {
    // The self-test makes one attempt.
    probe: ({ count }) => {
      if (count === 1) return Promise.resolve([1]);
      isTried = true;
      return new Promise((resolve) => (end = resolve));
    },
  };
  const { agent, ended } = await startTestAgent(t, {
    servers: [server.url],
    token: await newToken('ending'),
    prober,
  });
  const node = await server.online('ending');
  const result = server.nodes.relay.probe(node, { host: '127.0.0.1', port: 80 }, deadlineIn(10_000));
  await until('the probe runs', () => isTried);
  const stopped = agent.stop(10_000);
  await server.offline('ending');
  t.same(await server.nodes.relay.probe(node, { host: '127.0.0.1', port: 80 }, deadlineIn(10_000)), {
    kind: 'refused',
  });
  end([1, 2, 3, 4]);
  t.same(await result, { kind: 'done', ip: '127.0.0.1', rtts: [1, 2, 3, 4] });
  await stopped;
  t.equal(await ended, undefined);
});

t.test('decision 34: an agent reconnects by itself, with growing delays after failures', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const failures: number[] = [];
  const { lines } = await startTestAgent(t, {
    servers: [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`, server.url],
    token: await newToken('returning'),
    reconnectMs: (count) => {
      failures.push(count);
      return 10;
    },
  });
  await server.online('returning');
  t.same(failures, [1, 2]);
  t.match(lines[0], /ECONNREFUSED.* \(1006\); reconnecting in 10 ms/);
});

t.test('an agent whose token is used elsewhere or revoked ends with the reason', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const token = await newToken('doubled');
  const first = await startTestAgent(t, { servers: [server.url], token });
  await server.online('doubled');
  const second = await startTestAgent(t, { servers: [server.url], token });
  const error = await first.ended;
  t.ok(error instanceof AgentError);
  t.match(error, { message: /another agent/ });
  await until('the second is ready', () => second.lines.length > 0);
  await store.remove('doubled');
  t.match(await second.ended, { message: /removed/ });
});

t.test('an agent with a wrong token keeps trying', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const { lines } = await startTestAgent(t, { servers: [server.url], token: newNodeToken() });
  await until('it has tried twice', () => lines.length > 1);
  t.match(lines[1], /the server returned HTTP 401: invalid token/);
});

t.test('by default the self-test connects to the server, on the port of its URL', (t) => {
  const portOf = (url: string): number => selfTestAt(new URL(url)).port;
  t.same(selfTestAt(new URL('ws://[2001:db8::1]:8080')), { host: '2001:db8::1', port: 8080, isServer: true });
  t.same([portOf('ws://example.com'), portOf('wss://example.com')], [80, 443]);
  t.end();
});

t.test('an agent that fails its self-test is not listed', async (t) => {
  const server = await startNodeServer(t, redisUrl);
  const cases = [
    [{ host: '127.0.0.1', port: await freePort() }, /no connection to 127.0.0.1/],
    [{ host: 'nobody.example.com', port: 443 }, /has no public address/],
    [{ host: '10.0.0.1', port: 443 }, /has no public address/],
    [{ host: 'localhost', port: 443 }, /is not a public name/],
  ] as const;
  for (const [selfTest, reason] of cases) {
    const agent = await startTestAgent(t, {
      servers: [server.url],
      token: await newToken(`sick-${cases.findIndex(([test]) => test === selfTest)}`),
      selfTest,
    });
    await until('it has failed', () => agent.lines.length > 0);
    t.match(agent.lines[0], reason);
  }
  t.same(
    server.nodes.relay.online().filter(({ code }) => code.startsWith('sick')),
    [],
  );
});
