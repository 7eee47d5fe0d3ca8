import t, { type Test } from 'tap';
import { DnsServer } from '../testing/dns-server.js';
import type { CheckedAnswer } from '../testing/checked-answer.js';
import { runServer } from '../testing/running-server.js';
import { newCustomer, onlyKey, plainRedis, windowOf, type Customer } from './testing/callers.js';
import { SMALL_HOSTS } from './testing/hosts.js';

const dns = await DnsServer.start(SMALL_HOSTS);
t.teardown(() => dns.close());
const server = await runServer(t, { dnsServers: [dns.address] });
/** The same server behind a trusted proxy. */
const strangers = await server.another({ trustedProxies: ['127.0.0.1/32'] });

type Headers = Readonly<Record<string, string>>;

/** The endpoints with a price, as in `server/api.md`. */
const PRICED: readonly {
  name: string;
  credits: number;
  call: (headers: Headers) => Promise<CheckedAnswer>;
}[] = [
  { name: 'lookup', credits: 1, call: (headers) => server.get('/api/ip/1.1.1.1', headers) },
  { name: 'lookup of a name', credits: 1, call: (headers) => server.get('/api/ip/one.example.com', headers) },
  { name: 'sources', credits: 2, call: (headers) => server.get('/api/ip/1.1.1.1/sources', headers) },
  {
    name: 'sources of a name',
    credits: 2,
    call: (headers) => server.get('/api/ip/one.example.com/sources', headers),
  },
  {
    name: 'batch',
    credits: 5,
    call: (headers) => server.post('/api/ip/batch', { ips: ['8.8.8.8'] }, headers),
  },
  {
    name: 'batch of names',
    credits: 5,
    call: (headers) => server.post('/api/ip/batch', { ips: ['one.example.com', 'a.example.com'] }, headers),
  },
];

for (const { name, credits, call } of PRICED) {
  t.test(`a ${name} costs ${credits}, and with one credit too few it is 402 and costs nothing`, async (t) => {
    const customer = await newCustomer(server, 'free');
    await customer.leaveCredits(2 * credits - 1);
    t.match(await call(customer.headers), { status: 200, body: { code: 0 } });
    t.equal(await customer.credits(), credits - 1);
    const refused = await call(customer.headers);
    t.equal(refused.status, 402);
    t.match(refused.body, { code: 402, msg: String, credits_required: credits });
    t.notOk(refused.headers.has('retry-after'));
    t.equal(await customer.credits(), credits - 1);
    t.equal(await customer.usedToday(), 1, 'decision 9: one call, regardless of its price');
    t.equal(windowOf(await call(customer.headers)).remaining, 120 - 4, 'decision 6: the minute is spent');
  });
}

t.test('calls without a key cost no credits, and free endpoints cost none with a key', async (t) => {
  const customer = await newCustomer(server, 'enterprise');
  for (const { call } of PRICED) t.match((await call({})).body, { code: 0 });
  for (const path of [
    '/api/user/me',
    '/api/user/usage',
    '/json',
    '/api/as-profile/13335',
    '/api/datasets/asn/info',
  ])
    t.match(await server.get(path, customer.headers), { status: 200 }, path);
  t.equal((await server.get('/api/datasets/asn', customer.headers)).status, 200);
  t.equal(await customer.credits(), 500_000);
});

t.test(
  'decisions 6 and 11: a failed call costs neither credits nor the day and is not in usage',
  async (t) => {
    const redis = plainRedis(t, server);
    const customer = await newCustomer(server, 'free');
    const { headers, account } = customer;
    t.match((await server.get('/api/ip/1.1.1.1', headers)).body, { code: 0 });
    const failing: [number, number, () => Promise<CheckedAnswer>][] = [
      [200, 400, () => server.get('/api/ip/1.2.3', headers)],
      [200, 400, () => server.get('/api/ip/256.1.1.1/sources', headers)],
      [200, 404, () => server.get('/api/ip/nothing.example.com', headers)],
      [200, 404, () => server.get('/api/ip/nothing.example.com/sources', headers)],
      [502, 502, () => server.get('/api/ip/broken.example.com', headers)],
      [502, 502, () => server.get('/api/ip/broken.example.com/sources', headers)],
      [200, 400, () => server.post('/api/ip/batch', { ips: [] }, headers)],
      [200, 400, () => server.post('/api/ip/batch', '{', headers)],
      [413, 413, () => server.post('/api/ip/batch', { ips: ['1'.repeat(300_000)] }, headers)],
      [
        200,
        400,
        () => server.post('/api/ip/batch', { ips: Array.from({ length: 11 }, () => '1.1.1.1') }, headers),
      ],
      [200, 403, () => server.get('/api/datasets/asn', headers)],
    ];
    for (const [status, code, call] of failing) t.match(await call(), { status, body: { code } });
    t.equal(await customer.credits(), 999);
    t.equal(await customer.usedToday(), 1);
    t.equal(Number(await redis.get(await onlyKey(redis, `*d:account:account:${account.id}:*`))), 1);
    t.same(await redis.keys('*holds'), [], 'and nothing stays held');
    t.equal(windowOf(await server.get('/api/user/me', headers)).remaining, 120 - 14);
  },
);

t.test('decision 21: a batch without any result is a success and costs 5', async (t) => {
  const customer = await newCustomer(server, 'free');
  const { body } = await server.post(
    '/api/ip/batch',
    { ips: ['nonsense', 'a.example.com', 7] },
    customer.headers,
  );
  t.match(body, { code: 0, data: [{ error: String }, { error: String }, { error: String }] });
  t.equal(await customer.credits(), 995);
});

t.test('decision 4: unused credits of a month equal those of the plan', async (t) => {
  const redis = plainRedis(t, server);
  const customer = await newCustomer(server, 'free');
  await customer.leaveCredits(0);
  t.equal((await server.get('/api/ip/1.1.1.1', customer.headers)).status, 402);
  await redis.del(await onlyKey(redis, `*c:account:${customer.account.id}:*`));
  t.match((await server.get('/api/ip/1.1.1.1', customer.headers)).body, { code: 0 });
  t.equal(await customer.credits(), 999);
});

/** Possible faults of a call, in the order of decision 5. */
type Check = 'minute' | 'key' | 'plan' | 'syntax' | 'day' | 'credits' | 'work';
const CODE: Readonly<Record<Check, number>> = {
  ...{ minute: 429, key: 401, plan: 403, syntax: 400, day: 429, credits: 402, work: 404 },
};

/** The faults that an endpoint can have, and paths with faults in work or syntax. */
const ENDPOINTS: readonly { checks: readonly Check[]; right: string; syntax?: string; work?: string }[] = [
  {
    checks: ['minute', 'syntax', 'day', 'credits', 'work'],
    ...{ right: '/api/ip/1.1.1.1', syntax: '/api/ip/1.2.3', work: '/api/ip/nothing.example.com' },
  },
  {
    checks: ['minute', 'key', 'syntax'],
    ...{ right: '/api/datasets/asn', syntax: '/api/datasets/nothing' },
  },
  { checks: ['minute', 'plan', 'syntax'], right: '/api/datasets/asn', syntax: '/api/datasets/nothing' },
];

for (const { checks, right, syntax = right, work = right } of ENDPOINTS) {
  for (const [i, first] of checks.entries()) {
    for (const second of checks.slice(i + 1)) {
      t.test(`decision 5: at ${right}, ${first} comes before ${second}`, async (t) => {
        const wrong = new Set<Check>([first, second]);
        const customer = await newCustomer(server, 'free');
        await spend(t, customer, wrong);
        const path = wrong.has('syntax') ? syntax : wrong.has('work') ? work : right;
        const headers = checks.includes('key') ? strangerFor(wrong) : customer.headers;
        const { body } = await strangers.get(path, headers);
        t.match(body, { code: CODE[first] });
        t.match(
          (body as { msg: string }).msg,
          first === 'minute' ? /per minute/ : first === 'day' ? /daily/ : /./,
        );
      });
    }
  }
}

/** Headers of callers without a key. One of them has used up its minute. */
function strangerFor(wrong: ReadonlySet<Check>): Headers {
  return { 'X-Forwarded-For': wrong.has('minute') ? '192.0.2.200' : '192.0.2.201' };
}

/** Uses up the minute, the day or the credits of a customer. */
async function spend(
  t: Test,
  { account, leaveCredits, headers }: Customer,
  wrong: ReadonlySet<Check>,
): Promise<void> {
  const redis = plainRedis(t, server);
  await server.get('/api/ip/1.1.1.1', headers);
  await strangers.get('/api/user/me', strangerFor(wrong));
  if (wrong.has('day'))
    await redis.set(await onlyKey(redis, `*d:account:account:${account.id}:*`), 10_000, 'KEEPTTL');
  if (wrong.has('credits')) await leaveCredits(0);
  if (!wrong.has('minute')) return;
  await redis.set(await onlyKey(redis, `*m:account:account:${account.id}`), 120, 'KEEPTTL');
  await redis.set(await onlyKey(redis, '*m:anonymous:ip:192.0.2.200'), 30, 'KEEPTTL');
}
