import t from 'tap';
import { acceptingTarget, closedPort, silentTarget } from '../probe/testing/tcp-targets.js';
import { DnsServer, type DnsReply } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import type { CheckedAnswer } from '../testing/checked-answer.js';
import { bearer, newCustomer, onlyKey, plainRedis, windowOf } from './testing/callers.js';

const HOSTS: Readonly<Record<string, DnsReply>> = {
  'here.example.com': { addresses: ['127.0.0.1'] },
  'mixed.example.com': { addresses: ['10.0.0.1', '192.168.0.1', '127.0.0.1'] },
  'private.example.com': { addresses: ['10.0.0.1', 'fd00::1'] },
  'six.example.com': { addresses: ['::1'] },
  'empty.example.com': { addresses: [] },
  'broken.example.com': 'servfail',
};
const dns = await DnsServer.start(HOSTS);
t.teardown(() => dns.close());
const server = await runServer(t, { dnsServers: [dns.address] });
const { port } = await acceptingTarget(t);

const dataOf = ({ body }: CheckedAnswer) => (body as { data: Record<string, unknown> }).data;

t.test('an accepting target is probed, and the answer has all fields', async (t) => {
  const { headers } = await newCustomer(server, 'free');
  const answer = await server.get(`/api/tcping/127.0.0.1:${port}?count=2`, headers);
  t.equal(answer.status, 200);
  t.match(answer.body, { code: 0 });
  const { min, max, avg, rtts, ...rest } = dataOf(answer);
  t.strictSame(rest, {
    ...{ target: `127.0.0.1:${port}`, host: '127.0.0.1', ip: '127.0.0.1', port },
    ...{ sent: 2, recv: 2, loss: 0, timeout_ms: 3000, source: { type: 'origin' } },
  });
  t.match({ min, max, avg, rtts }, { min: Number, max: Number, avg: Number, rtts: [Number, Number] });
});

t.test('decision 32: a target that refuses all connections is an answer with nulls', async (t) => {
  const { headers } = await newCustomer(server, 'free');
  const refused = await server.get(`/api/tcping/127.0.0.1:${await closedPort()}?count=1`, headers);
  t.match(refused.body, {
    code: 0,
    data: { sent: 1, recv: 0, loss: 100, min: null, max: null, avg: null, rtts: [null] },
  });
  const silent = await silentTarget(t);
  const query = 'count=2&timeout=1';
  const unanswered = await server.get(`/api/tcping/127.0.0.1:${silent.port}?${query}`, headers);
  t.match(dataOf(unanswered), { rtts: [null, null], timeout_ms: 100 });
});

t.test('decision 32: all forms of targets are accepted; the port in the target wins', async (t) => {
  const { headers } = await newCustomer(server, 'free');
  const six = await acceptingTarget(t, { host: '::1' });
  const asked = [
    [`127.0.0.1?port=${port}`, '127.0.0.1', port],
    [`127.0.0.1:${port}?port=1`, '127.0.0.1', port],
    [`127.0.0.1:${port}?port=garbage`, '127.0.0.1', port],
    [`[::1]:${six.port}`, '::1', six.port],
    [`%5B::1%5D:${six.port}`, '::1', six.port],
    [`%5B%3A%3A1%5D%3A${six.port}`, '::1', six.port],
    [`::1?port=${six.port}`, '::1', six.port],
    [`[::1]?port=${six.port}`, '::1', six.port],
    [`[::ffff:127.0.0.1]:${port}`, '127.0.0.1', port],
    [`here.example.com:${port}`, '127.0.0.1', port],
    [`six.example.com:${six.port}`, '::1', six.port],
  ] as const;
  for (const [path, ip, wanted] of asked) {
    const answer = await server.get(`/api/tcping/${path}${path.includes('?') ? '&' : '?'}count=1`, headers);
    t.match(answer.body, { code: 0, data: { ip, port: wanted, recv: 1 } }, path);
  }
});

t.test('decisions 16 and 32: an invalid target, port or country is 400 and costs nothing', async (t) => {
  const customer = await newCustomer(server, 'free');
  const refused = [
    ...['127.1', '0x7f000001', '2130706433', '010.0.0.1', 'localhost', 'AS123', '%zz', 'fe80::1%25eth0'],
    ...[
      '127.0.0.1:0',
      '127.0.0.1:65536',
      '127.0.0.1:http',
      '127.0.0.1:',
      '[127.0.0.1]:80',
      '[::1',
      '[::1]80',
    ],
    ...['127.0.0.1?port=0', '127.0.0.1?port=65536', '127.0.0.1?port=http', '127.0.0.1?port='],
    ...['127.0.0.1?country=CHN', '127.0.0.1?country=C1', '127.0.0.1?country='],
    ...['http:%2F%2F127.0.0.1', 'user@here.example.com:80', 'here.example.com:80:80'],
  ];
  for (const path of refused)
    t.match(
      await server.get(`/api/tcping/${path}`, customer.headers),
      { status: 200, body: { code: 400 } },
      path,
    );
  t.equal(await customer.credits(), 1000);
  t.equal(await customer.usedToday(), 0);
});

t.test('decision 5: 401 comes before 403, 403 before 402, and 402 before the work', async (t) => {
  const poor = await newCustomer(server, 'free');
  await poor.leaveCredits(0);
  for (const target of [
    '10.0.0.1:80',
    'private.example.com:80',
    '[fd00::1]:80',
    '169.254.169.254',
    '64:ff9b::1',
  ]) {
    const anonymous = await server.get(`/api/tcping/${target}`);
    t.match(anonymous, { status: 200, body: { code: 401 } }, target);
    const invalid = await server.get(`/api/tcping/${target}`, bearer('nobody'));
    t.match(invalid, { status: 200, body: { code: 401 } }, target);
    for (const query of ['', '?country=CN', '?node=cn-1'])
      t.match(
        await server.get(`/api/tcping/${target}${query}`, poor.headers),
        { status: 200, body: { code: 403 } },
        `${target}${query}`,
      );
  }
  for (const target of [
    `127.0.0.1:${port}`,
    `here.example.com:${port}`,
    'empty.example.com',
    'broken.example.com',
  ])
    t.match(
      await server.get(`/api/tcping/${target}?count=3`, poor.headers),
      { status: 402, body: { code: 402, credits_required: 3 } },
      target,
    );
  t.equal(await poor.credits(), 0);
  t.equal(await poor.usedToday(), 0);
});

t.test('without ALLOW_LOOPBACK the loopback is refused as private', async (t) => {
  const strict = await server.another({ allowLoopback: false });
  const { headers } = await newCustomer(strict, 'free');
  const asked = dns.asked.length;
  for (const target of [
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `here.example.com:${port}`,
  ])
    t.match((await strict.get(`/api/tcping/${target}`, headers)).body, { code: 403 }, target);
  t.match((await strict.get('/api/tcping/here.example.com')).body, { code: 401 });
  t.ok(dns.asked.length <= asked + 2, 'without a key nothing is resolved');
});

t.test('decision 33: for a name with private and public addresses the public one is probed', async (t) => {
  const { headers } = await newCustomer(server, 'free');
  const answer = await server.get(`/api/tcping/mixed.example.com:${port}?count=1`, headers);
  t.match(dataOf(answer), { host: 'mixed.example.com', ip: '127.0.0.1', recv: 1 });
});

t.test('decision 33: a name is resolved once per call, even if its addresses change', async (t) => {
  const { headers } = await newCustomer(server, 'free');
  const name = 'moves.example.com';
  const replies = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']];
  for (const addresses of replies) {
    dns.replies.set(name, { addresses, ttl: 0 });
    const before = dns.asked.length;
    const answering = server.get(`/api/tcping/${name}:${port}?count=2`, headers);
    while (dns.asked.length === before) await new Promise((resolve) => setTimeout(resolve, 2));
    // Too late for the running call, which is in its first pause of 100 ms.
    await new Promise((resolve) => setTimeout(resolve, 50));
    dns.replies.set(name, { addresses: ['10.0.0.2'], ttl: 0 });
    const { body } = await answering;
    if (addresses[0] === '127.0.0.1') t.match(body, { code: 0, data: { ip: '127.0.0.1', recv: 2 } });
    else t.match(body, { code: 403 });
    t.equal(new Set(dns.asked.slice(before)).size, dns.asked.length - before, 'no question twice');
  }
});

t.test('decisions 6 and 9: a probe costs its clamped count and counts as one call of the day', async (t) => {
  const customer = await newCustomer(server, 'free');
  const { headers } = customer;
  let left = 1000;
  for (const [query, cost] of [
    ['', 4],
    ['?count=1', 1],
    ['?count=0', 1],
    ['?count=x', 4],
    ['?count=2&count=9', 2],
  ] as const)
    for (const host of ['127.0.0.1', 'here.example.com']) {
      const answer = await server.get(`/api/tcping/${host}:${port}${query}`, headers);
      t.match(dataOf(answer), { sent: cost }, query);
      left -= cost;
      t.equal(await customer.credits(), left, `${host} ${query}`);
    }
  t.equal(await customer.usedToday(), 10);
  const refused = await server.get(
    `/api/tcping/127.0.0.1:${await closedPort()}?count=99&timeout=100`,
    headers,
  );
  t.match(dataOf(refused), { sent: 10, recv: 0 });
  t.equal(await customer.credits(), left - 10, 'a probe without a connection costs its price');
});

t.test('decisions 6 and 11: a failed call refunds credits and day, not the minute', async (t) => {
  const customer = await newCustomer(server, 'free');
  const redis = plainRedis(t, server);
  const { headers, account } = customer;
  await server.get(`/api/tcping/127.0.0.1:${port}?count=1`, headers);
  const dayKey = await onlyKey(redis, `*d:account:account:${account.id}:*`);
  const failing = [
    ['empty.example.com', 200, 404],
    ['nothing.example.com', 200, 404],
    ['broken.example.com', 502, 502],
    ['private.example.com', 200, 403],
    ['10.0.0.1', 200, 403],
    ['127.0.0.1?country=CN', 200, 404],
    ['here.example.com?node=cn-1', 200, 404],
    ['127.1', 200, 400],
  ] as const;
  for (const [target, status, code] of failing) {
    const answer = await server.get(`/api/tcping/${target}`, headers);
    t.match(answer, { status, body: { code, msg: String } }, target);
    t.equal(await redis.get(dayKey), '1', target);
  }
  t.equal(await customer.credits(), 999);
  t.equal(await customer.usedToday(), 1);
  t.equal(
    windowOf(await server.get('/api/user/me', headers)).remaining,
    120 - 1 - failing.length - 2,
    'every call counted in the minute',
  );
});

t.test('decisions 3 and 5: the minute is checked first, and a refused call resolves nothing', async (t) => {
  const redis = plainRedis(t, server);
  const { headers, account } = await newCustomer(server, 'free');
  await server.get('/api/user/me', headers);
  await redis.incrby(await onlyKey(redis, `*m:account:account:${account.id}`), 119);
  const asked = dns.asked.length;
  for (const target of ['127.0.0.1', 'private.example.com', 'here.example.com', '10.0.0.1', '127.1'])
    t.match(await server.get(`/api/tcping/${target}`, headers), { status: 429, body: { code: 429 } }, target);
  t.equal(dns.asked.length, asked);
});

t.test('decision 4: an exceeded day is 429 without Retry-After, for names and addresses', async (t) => {
  const redis = plainRedis(t, server);
  const customer = await newCustomer(server, 'free');
  await server.get(`/api/tcping/127.0.0.1:${port}?count=1`, customer.headers);
  const dayKey = await onlyKey(redis, `*d:account:account:${customer.account.id}:*`);
  await redis.set(dayKey, '10000', 'KEEPTTL');
  for (const target of ['127.0.0.1', 'here.example.com']) {
    const answer = await server.get(`/api/tcping/${target}:${port}`, customer.headers);
    t.match(answer, { status: 429, body: { code: 429 } });
    t.notOk(answer.headers.has('retry-after'));
  }
  t.equal(await customer.credits(), 999);
});
