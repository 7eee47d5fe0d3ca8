import t from 'tap';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { BEHIND_PROXY, from, newCustomer, onlyKey, plainRedis, windowOf } from './testing/callers.js';
import { SMALL_HOSTS } from './testing/hosts.js';
import { PER_MINUTE, ROUTES } from './testing/routes.js';

const dns = await DnsServer.start(SMALL_HOSTS);
t.teardown(() => dns.close());
const server = await runServer(t, { ...BEHIND_PROXY, dnsServers: [dns.address] });

/** Calls a route without a key. */
function call(route: (typeof ROUTES)[number], headers: Readonly<Record<string, string>>) {
  const { method, path } = route;
  return method === 'POST' ? server.post(path, { ips: ['1.1.1.1'] }, headers) : server.get(path, headers);
}

t.test('decision 2: routes of a group share a bucket; groups and sources do not', async (t) => {
  const used: Partial<Record<string, number>> = {};
  for (const route of ROUTES) {
    const calls = (used[route.bucket] = (used[route.bucket] ?? 0) + 1);
    const limit = PER_MINUTE[route.bucket];
    const mine = windowOf(await call(route, from('192.0.2.20')));
    t.match(mine, { limit, remaining: limit - calls }, `${route.path} counts against ${route.bucket}`);
  }
  for (const route of ROUTES.filter(({ bucket }, i) => ROUTES.findIndex((r) => r.bucket === bucket) === i)) {
    const limit = PER_MINUTE[route.bucket];
    t.match(windowOf(await call(route, from('192.0.2.21'))), { limit, remaining: limit - 1 }, route.bucket);
  }
});

for (const [i, bucket] of (['anonymous', 'own-ip', 'bgp', 'public'] as const).entries()) {
  const limit = PER_MINUTE[bucket];
  t.test(
    `decision 3: call ${limit + 1} of a minute to ${bucket} is 429, other buckets are not affected`,
    async (t) => {
      const route = ROUTES.find((one) => one.bucket === bucket)!;
      const headers = from(`192.0.2.${30 + i}`);
      const answers = [];
      for (let n = 0; n < limit; n++) answers.push(await call(route, headers));
      t.ok(answers.every(({ status, body }) => status === 200 && (body as { code: number }).code === 0));
      const { status, body, headers: answerHeaders } = await call(route, headers);
      t.equal(status, 429);
      t.match(body, { code: 429, msg: new RegExp(`${limit} requests per minute`) });
      t.match(answerHeaders.get('content-type'), 'application/json');
      const seconds = Number(answerHeaders.get('retry-after'));
      t.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
      t.match(windowOf({ headers: answerHeaders }), { limit, remaining: 0 });
      for (const other of ROUTES.filter((one) => one.bucket !== bucket).slice(0, 8))
        t.equal((await call(other, headers)).status, 200, `${other.bucket} is not spent`);
    },
  );
}

t.test(
  'decision 2: an IPv6 /64 shares its day; a mapped IPv4 address counts as the IPv4 address',
  async (t) => {
    const redis = plainRedis(t, server);
    const left = async (address: string) =>
      windowOf(await server.get('/api/ip/1.1.1.1', from(address))).remaining;
    t.equal(await left('2a00:1450:9:2::1'), 29);
    t.equal(await left('2a00:1450:9:2:ffff::9'), 28);
    t.equal(await left('2a00:1450:9:3::1'), 29);
    t.equal(Number(await redis.get(await onlyKey(redis, '*d:anonymous:ip:2a00:1450:9:2::/64:*'))), 2);
    t.equal(await left('192.0.2.22'), 29);
    t.equal(await left('::ffff:192.0.2.22'), 28);
  },
);

t.test('decision 2: endpoints without keys ignore any key', async (t) => {
  const { key, headers } = await newCustomer(server, 'pro');
  for (const sent of [key, 'ipa_wrong']) {
    for (const route of ROUTES.filter(({ bucket }) => bucket !== 'anonymous')) {
      const [path, question = ''] = route.path.split('?');
      const answer = await server.get(`${path}?token=${sent}&${question}`, {
        ...from('192.0.2.23'),
        Authorization: `Bearer ${sent}`,
      });
      t.equal(answer.status, 200);
      t.equal(windowOf(answer).limit, PER_MINUTE[route.bucket], route.path);
      for (const name of ['x-auth', 'deprecation']) t.notOk(answer.headers.has(name), name);
    }
  }
  t.equal(
    windowOf(await server.get('/api/user/me', headers)).remaining,
    599,
    "the account's minute is whole",
  );
});

t.test(
  'decision 4: call 1,001 of a day is 429 without Retry-After; it counts in the minute, and other sources are not affected',
  async (t) => {
    const redis = plainRedis(t, server);
    const headers = from('192.0.2.24');
    await server.get('/api/ip/1.1.1.1', headers);
    const day = await onlyKey(redis, '*d:anonymous:ip:192.0.2.24:*');
    t.equal(Number(await redis.get(day)), 1);
    await redis.set(day, 999, 'KEEPTTL');
    t.match((await server.get('/api/ip/1.1.1.1/sources', headers)).body, { code: 0 }, 'the last one');
    for (const [what, answer] of [
      ['lookup', await server.get('/api/ip/1.1.1.1', headers)],
      ['sources', await server.get('/api/ip/1.1.1.1/sources', headers)],
      ['batch', await server.post('/api/ip/batch', { ips: ['1.1.1.1'] }, headers)],
      ['host name', await server.get('/api/ip/one.example.com', headers)],
    ] as const) {
      t.match(answer, { status: 429, body: { code: 429, msg: /daily quota/ } }, what);
      t.notOk(answer.headers.has('retry-after'), what);
    }
    t.equal(windowOf(await server.get('/api/ip/1.1.1.1', headers)).remaining, 30 - 7);
    t.equal(Number(await redis.get(day)), 1000, 'no further');
    t.equal((await server.get('/json', headers)).status, 200, 'routes without a daily limit still answer');
    t.equal((await server.get('/api/ip/1.1.1.1', from('192.0.2.25'))).status, 200, 'and so do others');
  },
);

t.test('decisions 6 and 11: a failed call counts in the minute but not in the day', async (t) => {
  const redis = plainRedis(t, server);
  const headers = from('192.0.2.26');
  await server.get('/api/ip/one.example.com', headers);
  const day = await onlyKey(redis, '*d:anonymous:ip:192.0.2.26:*');
  t.equal(Number(await redis.get(day)), 1);
  const failing: [number, number, string][] = [
    [200, 400, '/api/ip/1.2.3'],
    [200, 404, '/api/ip/nothing.example.com'],
    [200, 404, '/api/ip/nothing.example.com/sources'],
    [502, 502, '/api/ip/broken.example.com'],
    [200, 401, '/api/user/me'],
  ];
  for (const [status, code, path] of failing)
    t.match(await server.get(path, headers), { status, body: { code } }, path);
  t.match((await server.post('/api/ip/batch', { ips: [] }, headers)).body, { code: 400 });
  t.equal(Number(await redis.get(day)), 1);
  t.equal(windowOf(await server.get('/api/ip/1.1.1.1', headers)).remaining, 30 - 8);
});

t.test(
  'decision 21: without a key a batch has at most 5 items and counts as one call of the day',
  async (t) => {
    const redis = plainRedis(t, server);
    const headers = from('192.0.2.27');
    const batch = (count: number) =>
      server.post('/api/ip/batch', { ips: Array.from({ length: count }, () => '1.1.1.1') }, headers);
    t.match((await batch(5)).body, { code: 0 });
    t.match((await batch(6)).body, { code: 400 });
    t.equal(Number(await redis.get(await onlyKey(redis, '*d:anonymous:ip:192.0.2.27:*'))), 1);
  },
);

t.test(
  'decision 15: lang is a primary subtag in any case; all other values are zh; the first of several counts',
  async (t) => {
    const country = async (question: string) =>
      (
        (await server.get(`/api/ip/8.8.8.8${question}`, from('192.0.2.28'))).body as {
          data: { country: string };
        }
      ).data.country;
    const chinese = await country('');
    const english = await country('?lang=en');
    t.not(chinese, english);
    for (const lang of ['EN', 'en-GB', 'en&lang=zh']) t.equal(await country(`?lang=${lang}`), english, lang);
    for (const lang of ['zh', 'zh-CN', 'ZH', 'fr', '', 'english', 'zh&lang=en'])
      t.equal(await country(`?lang=${lang}`), chinese, lang);
  },
);

t.test('decision 14: untrusted headers do not open a new bucket', async (t) => {
  const open = await server.another({ trustedProxies: [] });
  const left = async (address: string) =>
    windowOf(await open.get('/api/ip/1.1.1.1', from(address))).remaining;
  t.same([await left('192.0.2.50'), await left('192.0.2.51'), await left('2001:db8::1')], [29, 28, 27]);
});
