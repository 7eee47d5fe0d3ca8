import t, { type Test } from 'tap';
import { hashOfKey, newApiKey } from '../ledger/accounts/api-key.js';
import type { CheckedAnswer } from '../testing/checked-answer.js';
import { runServer, type TestServer } from '../testing/running-server.js';
import { BEHIND_PROXY, bearer, from, newCustomer, plainRedis, windowOf } from './testing/callers.js';

const server = await runServer(t, BEHIND_PROXY);
const second = await server.another();

const REQUIRED = ['/api/user/me', '/api/user/usage', '/api/datasets/asn', '/api/datasets/nothing'];
const OPTIONAL = ['/api/ip/1.1.1.1', '/api/ip/1.1.1.1/sources'];

/** Calls until the answer matches. Changes reach other servers by Redis; without that, keys are cached for a minute. */
async function soon(
  t: Test,
  ask: () => Promise<CheckedAnswer>,
  isWanted: (answer: CheckedAnswer) => boolean,
): Promise<void> {
  const until = Date.now() + 20_000;
  let answer = await ask();
  while (!isWanted(answer) && Date.now() < until) answer = await ask();
  t.ok(isWanted(answer), answer.text.slice(0, 200));
}

function codeOf({ body }: CheckedAnswer): number {
  return (body as { code: number }).code;
}

t.test(
  'decision 7: without a valid key, code 401 has HTTP status 200 and counts in the anonymous minute',
  async (t) => {
    const unknown = newApiKey();
    const sent: [string, string, Record<string, string>][] = [
      ['no key', '', {}],
      ['an unknown key', '', bearer(unknown)],
      ['nonsense', '', bearer('nonsense')],
      ['an unknown token', `?token=${unknown}`, {}],
      ['an empty token', '?token=', {}],
      ['another scheme', '', { Authorization: `Basic ${Buffer.from(`${unknown}:`).toString('base64')}` }],
      ['an empty header', '', { Authorization: '' }],
      ['Bearer alone', '', { Authorization: 'Bearer' }],
      ['a very long key', '', bearer('x'.repeat(8000))],
    ];
    for (const [i, [what, question, headers]] of sent.entries()) {
      for (const [n, path] of REQUIRED.entries()) {
        const answer = await server.get(`${path}${question}`, { ...from(`192.0.2.${60 + i}`), ...headers });
        t.match(answer, { status: 200, body: { code: 401, msg: String } }, `${what} at ${path}`);
        t.match(windowOf(answer), { limit: 30, remaining: 29 - n }, what);
        t.notOk(answer.headers.has('www-authenticate'));
      }
    }
  },
);

t.test('decision 7: on an optional endpoint an invalid key is reported and counts as no key', async (t) => {
  const unknown = newApiKey();
  for (const headers of [bearer(unknown), bearer('nonsense'), bearer(`${unknown.slice(0, -1)}!`)]) {
    for (const path of OPTIONAL) {
      const answer = await server.get(path, { ...from('192.0.2.70'), ...headers });
      t.match(answer.body, { code: 0 });
      t.equal(answer.headers.get('x-auth'), 'invalid');
      t.equal(windowOf(answer).limit, 30);
    }
  }
  const batch = await server.post(
    '/api/ip/batch?token=nonsense',
    { ips: Array.from({ length: 6 }, () => '1.1.1.1') },
    from('192.0.2.70'),
  );
  t.match(batch.body, { code: 400 }, 'with the batch limit of strangers');
  t.equal(batch.headers.get('x-auth'), 'invalid');
  t.match(batch.headers.get('deprecation'), /^@\d+$/);
  t.equal(windowOf(batch).remaining, 30 - 7);
});

t.test('decision 7: Bearer wins over token, even when Bearer is invalid', async (t) => {
  const { key, headers } = await newCustomer(server, 'pro');
  const wrong = await server.get(`/api/ip/1.1.1.1?token=${key}`, {
    ...from('192.0.2.71'),
    ...bearer(newApiKey()),
  });
  t.equal(wrong.headers.get('x-auth'), 'invalid');
  t.equal(windowOf(wrong).limit, 30);
  t.notOk(wrong.headers.has('deprecation'), 'the token was not used');
  const right = await server.get(`/api/ip/1.1.1.1?token=${newApiKey()}`, headers);
  t.equal(windowOf(right).limit, 600);
  t.notOk(right.headers.has('x-auth'));
});

t.test('decision 7: ?token= works wherever a key does, and is always marked as deprecated', async (t) => {
  const { key } = await newCustomer(server, 'enterprise');
  for (const path of [...REQUIRED, ...OPTIONAL, '/api/ip/1.2.3', '/api/ip/8.8.8.8?lang=en']) {
    const answer = await server.get(`${path}${path.includes('?') ? '&' : '?'}token=${key}`);
    t.equal(windowOf(answer).limit, 3000, path);
    t.match(answer.headers.get('deprecation'), /^@\d+$/, path);
    t.equal(answer.headers.get('cache-control'), 'no-store', path);
  }
});

t.test('decision 7: X-API-Key is not read, wherever it is sent', async (t) => {
  const { key, usedToday } = await newCustomer(server, 'enterprise');
  const headers = { ...from('192.0.2.72'), 'X-API-Key': key };
  for (const path of REQUIRED) t.equal(codeOf(await server.get(path, headers)), 401, path);
  for (const path of OPTIONAL) {
    const answer = await server.get(path, headers);
    t.equal(windowOf(answer).limit, 30, path);
    t.notOk(answer.headers.has('x-auth'));
  }
  t.equal(await usedToday(), 0);
});

/** Makes both servers cache a key. */
async function seenByBoth(key: string): Promise<readonly [TestServer, TestServer]> {
  for (const one of [server, second]) {
    for (let i = 0; i < 2; i++) await one.get('/api/user/me', bearer(key));
  }
  return [server, second];
}

t.test('a revoked key is refused by all servers at once; other keys of the account still work', async (t) => {
  const { key, account } = await newCustomer(server, 'pro');
  const other = (await server.accounts.createKey({ email: account.email })).key;
  const both = await seenByBoth(key);
  await seenByBoth(other);
  await server.accounts.revokeKey(key);
  for (const one of both) {
    await soon(
      t,
      () => one.get('/api/user/me', bearer(key)),
      (answer) => codeOf(answer) === 401,
    );
    const optional = await one.get('/api/ip/1.1.1.1', { ...from('192.0.2.73'), ...bearer(key) });
    t.equal(optional.headers.get('x-auth'), 'invalid');
    t.equal(codeOf(await one.get('/api/user/me', bearer(other))), 0);
  }
});

t.test('a rotated key is refused by all servers at once; the new key has the same account', async (t) => {
  const { key, account, leaveCredits } = await newCustomer(server, 'pro');
  await leaveCredits(3);
  const both = await seenByBoth(key);
  const { key: successor } = await server.accounts.rotateKey(key);
  for (const one of both) {
    await soon(
      t,
      () => one.get('/api/user/me', bearer(key)),
      (answer) => codeOf(answer) === 401,
    );
    t.match((await one.get('/api/user/me', bearer(successor))).body, { code: 0, data: { id: account.id } });
  }
  t.equal((await server.get('/api/ip/1.1.1.1/sources', bearer(successor))).status, 200);
  t.equal((await second.get('/api/ip/1.1.1.1/sources', bearer(successor))).status, 402, 'with its credits');
});

t.test('decision 71: an expired key is invalid, and a key is 403 outside its networks', async (t) => {
  const { account } = await newCustomer(server, 'enterprise');
  const { key } = await server.accounts.createKey({
    email: account.email,
    networks: '192.0.2.80/30,2001:db8:5::/48',
  });
  for (const path of ['/api/ip/1.1.1.1', '/api/user/me', '/api/datasets/asn']) {
    for (const address of ['192.0.2.81', '2001:db8:5::1'])
      t.equal(windowOf(await server.get(path, { ...from(address), ...bearer(key) })).limit, 3000, path);
    const outside = await server.get(path, { ...from('192.0.2.84'), ...bearer(key) });
    t.match(outside, {
      status: 200,
      body: { code: 403, msg: 'this API key may not be used from 192.0.2.84' },
    });
    t.equal(windowOf(outside).limit, 30, 'it does not use up the limit of the account');
    t.notOk(outside.headers.has('x-auth'));
  }
  t.equal(
    windowOf(await server.get('/json', { ...from('192.0.2.84'), ...bearer(key) })).limit,
    60,
    'not read',
  );

  const redis = plainRedis(t, server);
  const { key: old } = await server.accounts.createKey({ email: account.email, expires: '1' });
  const record = JSON.parse((await redis.hget('ipatlas:keys', hashOfKey(old)))!) as object;
  const expires = '2026-01-31T00:00:00.000Z';
  await redis.hset('ipatlas:keys', hashOfKey(old), JSON.stringify({ ...record, expires }));
  const required = await server.get('/api/user/me', { ...from('192.0.2.85'), ...bearer(old) });
  t.match(required, { status: 200, body: { code: 401, msg: `this API key expired at ${expires}` } });
  const optional = await server.get('/api/ip/1.1.1.1', { ...from('192.0.2.85'), ...bearer(old) });
  t.match(optional.body, { code: 0 });
  t.equal(optional.headers.get('x-auth'), 'invalid');
  t.equal(windowOf(optional).limit, 30);
});

t.test('a key that was unknown is valid as soon as it exists', async (t) => {
  const { key, headers } = await newCustomer(server, 'free');
  t.equal(codeOf(await server.get('/api/user/me', headers)), 0);
  t.equal(codeOf(await second.get('/api/user/me', bearer(key))), 0);
});

t.test('a change of plan applies to all servers at once: limits, batch, downloads, credits', async (t) => {
  const { key, account, credits } = await newCustomer(server, 'free');
  const both = await seenByBoth(key);
  t.equal(codeOf(await server.get('/api/datasets/asn', bearer(key))), 403);
  await server.accounts.setPlan(account.email, 'enterprise');
  for (const one of both) {
    await soon(
      t,
      () => one.get('/api/user/me', bearer(key)),
      (answer) => windowOf(answer).limit === 3000,
    );
    t.match((await one.get('/api/user/me', bearer(key))).body, {
      data: { plan: 'Enterprise', batch_limit: 500 },
    });
    t.equal((await one.get('/api/datasets/asn', bearer(key))).status, 200);
  }
  t.equal(await credits(), 500_000);
  await server.accounts.setPlan(account.email, 'free');
  for (const one of both)
    await soon(
      t,
      () => one.get('/api/datasets/asn', bearer(key)),
      (answer) => answer.status === 200 && answer.body !== undefined,
    );
});

t.test('added credits count at once in all servers', async (t) => {
  const { headers, account, leaveCredits } = await newCustomer(server, 'free');
  await leaveCredits(0);
  for (const one of [server, second]) {
    t.equal((await one.get('/api/ip/1.1.1.1', headers)).status, 402);
    await server.accounts.addCredits(account.email, 1);
    t.equal((await one.get('/api/ip/1.1.1.1', headers)).status, 200);
  }
});
