import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { until } from '../nodes/testing/until.js';
import { openSocket } from '../testing/raw-http.js';
import { runServer } from '../testing/running-server.js';
import { newCustomer, onlyKey, plainRedis, type Customer } from './testing/callers.js';

const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
const server = await runServer(t, { log });
const MMDB = '/api/datasets/mmdb';

/**
 * Stops Redis, sends a request on a connection with an earlier answer, and hangs up while the server waits. Returns the
 * log line of the call.
 */
async function hangUpBeforeAdmission(t: Test, { key }: Customer, path: string): Promise<unknown> {
  const socket = openSocket(server.url);
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  process.kill(server.redis.pid, 'SIGSTOP');
  t.teardown(() => process.kill(server.redis.pid, 'SIGCONT'));
  const before = lines.length;
  const begun = nextRequest();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  const serversEnd = await begun;
  socket.resetAndDestroy();
  // `events.once` would reject, because of the reset.
  await new Promise((resolve) => serversEnd.once('close', resolve));
  t.equal(lines.length, before, 'the call waits for Redis');
  process.kill(server.redis.pid, 'SIGCONT');
  await until('the call has ended', () => lines.length > before);
  return JSON.parse(lines[before]!);
}

/** Returns the server's end of the connection on which the next request arrives. */
function nextRequest(): Promise<Socket> {
  const requests = 'http.server.request.start';
  return new Promise((resolve) => {
    const take = (message: unknown): void => {
      unsubscribe(requests, take);
      resolve((message as { socket: Socket }).socket);
    };
    subscribe(requests, take);
  });
}

t.test('decision 39: a download whose caller hangs up before its first byte is given back', async (t) => {
  const customer = await newCustomer(server, 'enterprise');
  const redis = plainRedis(t, server);
  const counters = ['h', 'd'].map((period) => `*dl:account:${customer.account.id}:mmdb:${period}*`);
  const used = () =>
    Promise.all(counters.map(async (pattern) => Number(await redis.get(await onlyKey(redis, pattern)))));
  t.match(await server.get(MMDB, customer.headers), { status: 200 });
  t.same(await used(), [1, 1]);
  for (let n = 0; n < 2; n++) {
    const line = await hangUpBeforeAdmission(t, customer, MMDB);
    t.match(line, { path: MMDB, status: 200, code: 0, msg: /^Premature close$|closed or destroyed stream$/ });
    await until('it is given back', async () => (await customer.usedToday()) === 1);
    t.same(await used(), [1, 1], 'of the hour and of the day');
  }
  t.equal((await server.get(MMDB, customer.headers)).headers.get('x-dataset-hourly-used'), '2');
});

t.test('decision 6: a lookup whose caller hangs up before its answer is charged once', async (t) => {
  const customer = await newCustomer(server, 'free');
  t.match(await server.get('/api/ip/1.1.1.1', customer.headers), { status: 200 });
  t.match(await hangUpBeforeAdmission(t, customer, '/api/ip/1.1.1.1'), { status: 200, code: 0 });
  t.equal(await customer.credits(), 1000 - 2);
  t.equal(await customer.usedToday(), 2);
});
