import t from 'tap';
import { PLANS, PLAN_IDS } from '../ledger/plans.js';
import { runServer } from '../testing/running-server.js';
import { bearer, newCustomer, onlyKey, plainRedis, windowOf } from './testing/callers.js';

const server = await runServer(t);

/** The plans, as in `server/api.md`. */
const NUMBERS = {
  free: { name: 'Free', perMinute: 120, perDay: 10_000, batch: 10, credits: 1000 },
  pro: { name: 'Pro', perMinute: 600, perDay: 100_000, batch: 100, credits: 50_000 },
  enterprise: { name: 'Enterprise', perMinute: 3000, perDay: 0, batch: 500, credits: 500_000 },
} as const;

for (const plan of PLAN_IDS) {
  const { name, perMinute, perDay, batch, credits } = NUMBERS[plan];
  t.test(`decision 2: a key of the plan ${plan} has the plan's minute, day, batch and credits`, async (t) => {
    const customer = await newCustomer(server, plan);
    const { headers, account } = customer;
    const me = await server.get('/api/user/me', headers);
    t.same(me.body, {
      code: 0,
      data: {
        ...{ id: account.id, email: account.email, nickname: account.nickname, plan: name },
        ...{ rate_limit: perMinute, daily_limit: perDay, batch_limit: batch },
      },
    });
    t.match(windowOf(me), { limit: perMinute, remaining: perMinute - 1 });
    const ips = Array.from({ length: batch + 1 }, () => '1.1.1.1');
    t.match((await server.post('/api/ip/batch', { ips }, headers)).body, { code: 400 });
    const full = await server.post('/api/ip/batch', { ips: ips.slice(1) }, headers);
    t.match(full.body, { code: 0 });
    t.equal((full.body as { data: unknown[] }).data.length, batch);
    t.equal(await customer.credits(), credits - 5, 'billed once');
    t.equal(windowOf(await server.get('/api/ip/1.1.1.1', headers)).remaining, perMinute - 4);
  });
}

t.test('decision 3: call 121 of a minute with a free key is 429 with Retry-After', async (t) => {
  const { headers } = await newCustomer(server, 'free');
  const statuses = [];
  for (let i = 0; i < 120; i++) statuses.push((await server.get('/api/user/me', headers)).status);
  t.same(new Set(statuses), new Set([200]));
  for (const path of ['/api/user/me', '/api/ip/1.1.1.1', '/api/datasets/asn', '/api/ip/1.2.3']) {
    const refused = await server.get(path, headers);
    t.match(refused, { status: 429, body: { code: 429, msg: /120 requests per minute/ } }, path);
    t.match(refused.headers.get('retry-after'), /^[1-9]\d?$/);
    t.match(windowOf(refused), { limit: 120, remaining: 0 });
  }
  t.equal((await server.get('/api/ip/1.1.1.1')).status, 200, 'without the key it is another bucket');
});

t.test('decision 2: the keys of an account share its limits from all addresses', async (t) => {
  const { account, headers } = await newCustomer(server, 'pro');
  const { key } = await server.accounts.createKey({ email: account.email });
  t.equal(windowOf(await server.get('/api/ip/1.1.1.1', headers)).remaining, 599);
  t.equal(windowOf(await server.get('/api/ip/1.1.1.1', bearer(key))).remaining, 598);
});

for (const plan of ['free', 'pro'] as const) {
  t.test(`decisions 4 and 8: a used-up day of the plan ${plan} is 429 without Retry-After`, async (t) => {
    const redis = plainRedis(t, server);
    const customer = await newCustomer(server, plan);
    const { headers, account } = customer;
    await server.get('/api/ip/1.1.1.1', headers);
    const day = await onlyKey(redis, `*d:account:account:${account.id}:*`);
    await redis.set(day, NUMBERS[plan].perDay - 1, 'KEEPTTL');
    t.match((await server.get('/api/ip/1.1.1.1', headers)).body, { code: 0 });
    const left = await customer.credits();
    for (const answer of [
      await server.get('/api/ip/1.1.1.1', headers),
      await server.get('/api/ip/1.1.1.1/sources', headers),
      await server.post('/api/ip/batch', { ips: ['1.1.1.1'] }, headers),
    ]) {
      t.match(answer, { status: 429, body: { code: 429, msg: /daily quota/ } });
      t.notOk(answer.headers.has('retry-after'));
    }
    t.equal(await customer.credits(), left, 'and costs no credits');
    t.match((await server.get('/api/user/me', headers)).body, { code: 0 }, 'the account can be looked at');
    t.equal(await customer.usedToday(), 2);
  });
}

t.test('the enterprise plan has no daily limit', async (t) => {
  const redis = plainRedis(t, server);
  const { headers, account } = await newCustomer(server, 'enterprise');
  await server.get('/api/ip/1.1.1.1', headers);
  await redis.set(await onlyKey(redis, `*d:account:account:${account.id}:*`), 10_000_000, 'KEEPTTL');
  t.match((await server.get('/api/ip/1.1.1.1', headers)).body, { code: 0 });
});

t.test('decision 8: account endpoints count in the minute only, with or without credits left', async (t) => {
  const customer = await newCustomer(server, 'free');
  await customer.leaveCredits(0);
  for (const [i, path] of ['/api/user/me', '/api/user/usage', '/api/user/me'].entries()) {
    const answer = await server.get(path, customer.headers);
    t.match(answer, { status: 200, body: { code: 0 } }, path);
    t.equal(windowOf(answer).remaining, 119 - i, path);
  }
  t.equal(await customer.usedToday(), 0);
});

t.test(
  'decision 9: usage lists 30 days ascending, today last; month_total sums these days only',
  async (t) => {
    const redis = plainRedis(t, server);
    const customer = await newCustomer(server, 'pro');
    const { headers, account } = customer;
    await server.get('/api/ip/1.1.1.1', headers);
    await server.get('/api/ip/1.1.1.1/sources', headers);
    await server.post('/api/ip/batch', { ips: ['1.1.1.1', 'nonsense', '8.8.8.8'] }, headers);
    await server.get('/api/ip/1.2.3', headers);
    await server.get('/json', headers);
    const usage = await onlyKey(redis, `*u:account:${account.id}`);
    const daysAgo = (days: number): string =>
      new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    for (const [days, count] of [
      [1, 7],
      [29, 40],
      [30, 1000],
    ] as const)
      await redis.hset(usage, daysAgo(days).replaceAll('-', ''), count);
    const { data } = (await server.get('/api/user/usage', headers)).body as {
      data: {
        today: number;
        month_total: number;
        daily_limit: number;
        daily: { date: string; count: number }[];
      };
    };
    t.match(data, { today: 3, month_total: 3 + 7 + 40, daily_limit: 100_000 });
    t.same(
      data.daily.map(({ date }) => date),
      Array.from({ length: 30 }, (_, i) => daysAgo(29 - i)),
    );
    t.same(
      [data.daily[0]!.count, data.daily[27]!.count, data.daily[28]!.count, data.daily[29]!.count],
      [40, 0, 7, 3],
    );
  },
);

t.test('the plans match the reference', (t) => {
  for (const plan of PLAN_IDS) {
    const { requestsPerMinute, requestsPerDay = 0, batchLimit, creditsPerMonth } = PLANS[plan];
    const { perMinute, perDay, batch, credits } = NUMBERS[plan];
    t.same(
      [requestsPerMinute, requestsPerDay, batchLimit, creditsPerMonth],
      [perMinute, perDay, batch, credits],
    );
  }
  t.end();
});
