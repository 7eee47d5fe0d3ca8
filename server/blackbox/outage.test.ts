import { spawn } from 'node:child_process';
import t, { type Test } from 'tap';
import type { CheckedAnswer } from '../testing/checked-answer.js';
import { runServer, type TestServer } from '../testing/running-server.js';
import { newApiKey } from '../ledger/accounts/api-key.js';
import { BEHIND_PROXY, bearer, from, newCustomer, windowOf, type Customer } from './testing/callers.js';

/** Longer than any call may take, shorter than a hanging call. */
const HANGS_MS = 10_000;

/** Calls an endpoint and fails when the call hangs. */
async function inTime(
  server: TestServer,
  path: string,
  headers: Record<string, string>,
): Promise<CheckedAnswer> {
  return await server.ask(path, { headers, signal: AbortSignal.timeout(HANGS_MS) });
}

async function isRedis(server: TestServer, state: 'up' | 'down'): Promise<void> {
  // A silent Redis is noticed only by a command.
  while (((await server.get('/readyz')).body as { redis: string }).redis !== state);
}

/** Returns a customer with a cached key and unused downloads. */
async function knownCustomer(server: TestServer): Promise<Customer> {
  const customer = await newCustomer(server, 'enterprise');
  for (let i = 0; i < 2; i++) await server.get('/api/user/me', customer.headers);
  return customer;
}

/** Checks decision 10 from two unused addresses. The second one has made 20 calls before. */
async function answersWithoutRedis(
  t: Test,
  server: TestServer,
  { known, fresh, seen }: { known: Customer; fresh: string; seen: string },
): Promise<void> {
  for (const path of [
    '/api/ip/1.1.1.1',
    '/api/ip/one.example.com',
    '/api/ip/1.1.1.1/sources',
    '/api/datasets/asn',
  ]) {
    const refused = await inTime(server, path, { ...known.headers });
    t.match(refused, { status: 503, body: { code: 503, msg: String } }, path);
  }
  t.match(await inTime(server, '/api/user/me', { ...known.headers }), { status: 200, body: { code: 0 } });
  t.match(await inTime(server, '/api/user/usage', { ...known.headers }), { status: 503 });
  const unjudged = await inTime(server, '/api/ip/1.1.1.1', bearer(newApiKey()));
  t.match(unjudged, { status: 503, body: { code: 503 } }, 'decision 41: a key that cannot be judged');
  await keysAreNotAnonymous(t, server, fresh);
  t.match((await inTime(server, '/api/user/me', from(fresh))).body, { code: 401 }, 'a missing key is 401');
  const remaining = [];
  for (let i = 0; i < 31; i++) {
    const answer = await inTime(server, '/api/ip/1.1.1.1', from(fresh));
    remaining.push(answer.status === 429 ? answer.headers.get('retry-after')! : windowOf(answer).remaining);
  }
  t.same(
    remaining.slice(0, 29),
    Array.from({ length: 29 }, (_, i) => 28 - i),
    'the same numbers',
  );
  t.match(remaining[29], /^[1-9]\d?$/);
  let left = 0;
  for (; (await inTime(server, '/json', from(seen))).status === 200; left++);
  t.equal(left, 40, 'a started minute continues');
  t.equal((await inTime(server, '/api/as-profile/13335', from(seen))).status, 200);
  t.equal((await inTime(server, '/nowhere', from(seen))).status, 404);
}

/** Checks decision 69: more calls with unknown keys than an anonymous caller has, then the caller's own limit. */
async function keysAreNotAnonymous(t: Test, server: TestServer, address: string): Promise<void> {
  const statuses = new Set<number>();
  for (let i = 0; i < 35; i++) {
    const path = i % 2 === 0 ? '/api/ip/1.1.1.1' : '/api/user/me';
    statuses.add((await inTime(server, path, { ...from(address), ...bearer(newApiKey()) })).status);
  }
  t.same([...statuses], [503], 'decision 69: a key is never refused as an anonymous caller');
}

t.test(
  'decision 10: with a frozen Redis no call hangs and no paid call is admitted; it is used again when it resumes',
  async (t) => {
    const server = await runServer(t, BEHIND_PROXY);
    const known = await knownCustomer(server);
    for (let i = 0; i < 20; i++) await server.get('/json', from('192.0.2.2'));
    process.kill(server.redis.pid, 'SIGSTOP');
    t.teardown(() => process.kill(server.redis.pid, 'SIGCONT'));
    const caught = await Promise.all([
      ...Array.from({ length: 20 }, () => inTime(server, '/api/ip/1.1.1.1', { ...known.headers })),
      inTime(server, '/api/datasets/asn', { ...known.headers }),
    ]);
    t.ok(
      caught.every(({ status }) => status === 503),
      'calls during the outage',
    );
    await isRedis(server, 'down');
    await answersWithoutRedis(t, server, { known, fresh: '192.0.2.1', seen: '192.0.2.2' });
    process.kill(server.redis.pid, 'SIGCONT');
    await isRedis(server, 'up');
    t.match((await server.get('/api/ip/1.1.1.1', known.headers)).body, { code: 0 });
    t.equal((await server.get('/api/datasets/asn', known.headers)).headers.get('x-dataset-hourly-used'), '1');
    t.equal(await known.credits(), 499_999, 'a 503 costs nothing');
    t.equal(await known.usedToday(), 2);
  },
);

t.test('decision 10: the same with a killed Redis; its replacement is used', async (t) => {
  const server = await runServer(t, BEHIND_PROXY);
  const known = await knownCustomer(server);
  for (let i = 0; i < 20; i++) await server.get('/json', from('192.0.2.2'));
  process.kill(server.redis.pid, 'SIGKILL');
  await isRedis(server, 'down');
  await answersWithoutRedis(t, server, { known, fresh: '192.0.2.1', seen: '192.0.2.2' });
  const { port } = new URL(server.redis.url);
  const again = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', ''], {
    stdio: 'ignore',
  });
  t.teardown(() => again.kill('SIGKILL'));
  await isRedis(server, 'up');
  const { headers } = await newCustomer(server, 'free');
  t.match((await server.get('/api/ip/1.1.1.1', headers)).body, { code: 0 });
  t.match((await server.get('/api/ip/1.1.1.1', from('192.0.2.3'))).body, { code: 0 });
});
