import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Lifetime } from '../../../pipeline/testing/lifetime.js';
import { TcpProber } from '../../probe/tcp-prober.js';
import { PublicHosts } from '../../egress/public-hosts.js';
import { testGuard } from '../testing/node-server.js';
import { knowing } from '../testing/test-agent.js';
import { AgentConnection } from './agent-connection.js';
import { JobRunner } from './job-runner.js';

/** Connects an agent to a WebSocket server. Returns its connection, the server's end of it, and its log. */
async function connected(t: Lifetime, selfTestFailure?: string) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const hosts = new PublicHosts(knowing({}), await testGuard());
  const lines: string[] = [];
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection') as Promise<[WebSocket]>;
  const connection = new AgentConnection(new URL(`ws://127.0.0.1:${port}`), {
    token: 'token',
    ipv6: false,
    runner: new JobRunner({ hosts, prober: new TcpProber(), maxJobs: 1 }),
    failedSelfTest: () => Promise.resolve(selfTestFailure),
    log: (line) => lines.push(line),
  });
  const [socket] = await accepted;
  const closed = once(socket, 'close').then(([code, reason]) => ({
    code: code as number,
    reason: String(reason),
  }));
  return { connection, socket, closed, lines };
}

/** Completes the handshake of an agent up to its answer to the welcome. */
async function welcome(socket: WebSocket, heartbeatMs: number): Promise<unknown> {
  await once(socket, 'message');
  const answer = once(socket, 'message');
  socket.send(JSON.stringify({ type: 'welcome', code: 'fra-1', now: Date.now(), heartbeatMs }));
  const [message] = (await answer) as [Buffer];
  return JSON.parse(message.toString());
}

t.test('an agent that stops closes its connection as going away (RFC 6455 §7.4.1)', async (t) => {
  const { connection, socket, closed } = await connected(t);
  t.same(await welcome(socket, 10_000), { type: 'ready' });
  await connection.leave(10_000);
  t.same(await closed, { code: 1001, reason: 'the agent is stopping' });
});

t.test('an agent that fails its self-test closes its connection as going away', async (t) => {
  const { connection, socket, closed } = await connected(t, 'no connection');
  t.same(await welcome(socket, 10_000), { type: 'goodbye', reason: 'no connection' });
  t.same(await closed, { code: 1001, reason: '' });
  t.match(await connection.ended, { reason: 'self-test failed: no connection', wasReady: false });
});

t.test('an agent ends a connection whose server sends no ping for three intervals', async (t) => {
  const { connection, socket, lines } = await connected(t);
  await welcome(socket, 20);
  const pong = once(socket, 'message') as Promise<[Buffer]>;
  socket.send('{"type":"ping","count":7}');
  t.same(JSON.parse((await pong)[0].toString()), { type: 'pong', count: 7 });
  t.same(await connection.ended, { code: 1006, reason: 'no heartbeat from the server', wasReady: true });
  t.same(lines, ['ready as fra-1']);
});

t.test('an agent logs an invalid message of the server and goes on', async (t) => {
  const { socket, lines } = await connected(t);
  await welcome(socket, 10_000);
  socket.send('no JSON');
  socket.send('{"type":"unknown"}');
  const pong = once(socket, 'message') as Promise<[Buffer]>;
  socket.send('{"type":"ping","count":7}');
  t.same(JSON.parse((await pong)[0].toString()), { type: 'pong', count: 7 });
  t.same(lines, ['ready as fra-1', 'invalid message from the server', 'invalid message from the server']);
});
