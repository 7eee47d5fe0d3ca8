import { connect } from 'node:net';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import t from 'tap';
import { runServer, type TestServer } from '../testing/running-server.js';

const server = await runServer(t, { trustedProxies: ['127.0.0.1/32'] });
/** Each test calls from its own address, so limits do not interfere. */
const from = (address: string) => ({ 'X-Forwarded-For': address });

/** Sends raw bytes and reads until the connection closes. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

t.test('decision 1: every answer has the limit headers: routes, errors, preflight, pages', async (t) => {
  const asked: [string, string, number][] = [
    ['GET', '/json', 200],
    ['GET', '/nothing/here', 404],
    ['DELETE', '/json', 405],
    ['OPTIONS', '/json', 204],
    ['OPTIONS', '/nothing', 404],
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['GET', '/openapi.json', 200],
    ['HEAD', '/json', 200],
    ['GET', '/api/as-profile/AS13335', 200],
    ['GET', '/api/datasets/asn', 200],
  ];
  for (const [method, path, status] of asked) {
    const answer = await server.ask(path, { method, headers: from('192.0.2.1') });
    t.equal(answer.status, status, `${method} ${path}`);
    t.match(answer.headers.get('x-ratelimit-reset'), /^\d{10}$/, `${method} ${path}`);
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  }
});

t.test('decision 1: unknown routes share the public bucket; OPTIONS and pages do not use it', async (t) => {
  const left = async (method: string, path: string) =>
    Number(
      (await server.ask(path, { method, headers: from('192.0.2.2') })).headers.get('x-ratelimit-remaining'),
    );
  t.equal(await left('OPTIONS', '/json'), 60);
  t.equal(await left('GET', '/healthz'), 60);
  t.equal(await left('GET', '/nothing'), 59);
  t.equal(await left('PUT', '/json'), 58);
  t.equal(await left('GET', '/api/datasets/asn/info'), 57);
  t.equal(await left('GET', '/readyz'), 57);
});

t.test('decision 3: the 61st call of a minute is 429 with Retry-After, as text at /ip', async (t) => {
  let asText = await server.get('/ip', from('192.0.2.3'));
  t.equal(asText.text, '192.0.2.3\n');
  // If Redis is slow for a moment, the local meter counts and a few more calls pass.
  for (let i = 0; i < 200 && asText.status === 200; i++) asText = await server.get('/ip', from('192.0.2.3'));
  t.equal(asText.status, 429);
  t.match(asText.headers.get('content-type'), /^text\/plain/);
  t.match(asText.headers.get('retry-after'), /^[1-5]?\d$|^60$/);
  t.equal(asText.headers.get('x-ratelimit-remaining'), '0');
  const asJson = await server.get('/json', from('192.0.2.3'));
  t.equal(asJson.status, 429);
  t.match(asJson.body, { code: 429, msg: /60 requests per minute/ });
});

t.test('decision 1: the 61st unknown path of a minute is 429, and so is a wrong method', async (t) => {
  const headers = from('192.0.2.16');
  let passed = 0;
  // If Redis is slow for a moment, the local meter counts and a few more calls pass.
  while (passed < 200 && (await server.get(`/nothing/${passed}`, headers)).status === 404) passed++;
  t.ok(passed >= 60 && passed < 200, `${passed} calls passed`);
  const refused = await server.get('/nothing', headers);
  t.match(refused, { status: 429, body: { code: 429, msg: /60 requests per minute/ } });
  t.match(refused.headers.get('retry-after'), /^[1-9]\d?$/);
  t.equal((await server.ask('/json', { method: 'PUT', headers })).status, 429);
  t.equal((await server.get('/json', headers)).status, 200, 'other buckets are not affected');
});

t.test('decision 3: known refusals are the same answer, and Redis does not count them', async (t) => {
  const headers = from('192.0.2.33');
  let first = await server.get('/api/ip/1.1.1.1', headers);
  for (let i = 0; i < 100 && first.status === 200; i++) first = await server.get('/api/ip/1.1.1.1', headers);
  t.equal(first.status, 429);
  const redis = new Redis(server.redis.url);
  t.teardown(() => {
    redis.disconnect();
  });
  const [key = ''] = await redis.keys('*m:anonymous:ip:192.0.2.33');
  const counted = Number(await redis.get(key));
  t.ok(counted > 30);
  const limits = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);
  for (const path of ['/api/ip/8.8.8.8', '/api/ip/1.2.3', '/api/user/me']) {
    const again = await server.get(path, headers);
    t.equal(again.status, 429, path);
    for (const name of limits) t.equal(again.headers.get(name), first.headers.get(name), name);
    t.match(again.headers.get('retry-after'), /^\d+$/);
  }
  t.match((await server.post('/api/ip/batch', { ips: ['1.1.1.1'] }, headers)).body, { code: 429 });
  t.equal(Number(await redis.get(key)), counted);
});

t.test('decision 5: the minute is checked before the key, the syntax and everything else', async (t) => {
  const headers = from('192.0.2.4');
  const codes = [];
  for (let i = 0; i < 30; i++) codes.push((await server.get('/api/user/me', headers)).body);
  t.match(codes[0], { code: 401 });
  t.match(codes[29], { code: 401 });
  t.match((await server.get('/api/user/me', headers)).body, { code: 429 });
  t.match((await server.get('/api/ip/1.2.3', headers)).body, { code: 429 });
});

t.test('decision 5: the key is checked before the plan, and the plan before the syntax', async (t) => {
  const headers = from('192.0.2.5');
  t.match((await server.get('/api/datasets/nothing', headers)).body, { code: 401 });
  const pro = { ...headers, Authorization: `Bearer ${await server.key('pro')}` };
  t.match((await server.get('/api/datasets/nothing', pro)).body, { code: 403 });
  const enterprise = { ...headers, Authorization: `Bearer ${await server.key('enterprise')}` };
  t.match((await server.get('/api/datasets/nothing', enterprise)).body, { code: 400 });
});

t.test('decision 5: credits are checked last, and 402 names the price', async (t) => {
  const key = await server.key('free');
  const { account } = await authenticated(server, key);
  await server.accounts.addCredits(account.email, -999);
  const headers = { Authorization: `Bearer ${key}` };
  t.match((await server.get('/api/ip/1.2.3/sources', headers)).body, { code: 400 });
  const refused = await server.get('/api/ip/1.1.1.1/sources', headers);
  t.equal(refused.status, 402);
  t.match(refused.body, { code: 402, credits_required: 2 });
  t.match((await server.get('/api/ip/1.1.1.1', headers)).body, { code: 0 }, 'one credit is left');
});

t.test(
  'decision 7: Bearer wins over token, token is deprecated, an invalid key is reported, X-API-Key is not read',
  async (t) => {
    const key = await server.key('pro');
    const ask = (path: string, headers = {}) => server.get(path, { ...from('192.0.2.7'), ...headers });
    const both = await ask('/api/ip/1.1.1.1?token=ipa_wrong', { Authorization: `bearer ${key}` });
    t.equal(both.headers.get('x-ratelimit-limit'), '600');
    t.notOk(both.headers.has('deprecation'));
    t.notOk(both.headers.has('x-auth'));
    t.equal(both.headers.get('cache-control'), 'no-store');
    const token = await ask(`/api/ip/1.1.1.1?token=${key}&token=other`);
    t.equal(token.headers.get('x-ratelimit-limit'), '600', 'decision 15: the first value counts');
    t.match(token.headers.get('deprecation'), /^@\d+$/);
    const wrong = await ask('/api/ip/1.1.1.1', { Authorization: 'Bearer ipa_wrong' });
    t.equal(wrong.headers.get('x-auth'), 'invalid');
    t.equal(wrong.headers.get('x-ratelimit-limit'), '30');
    t.match(wrong.body, { code: 0 });
    const other = await ask('/api/user/me', { 'X-API-Key': key });
    t.equal(other.status, 200);
    t.match(other.body, { code: 401 });
  },
);

t.test('decision 2: a key sent to a group without keys is ignored', async (t) => {
  const headers = { ...from('192.0.2.8'), Authorization: `Bearer ${await server.key('pro')}` };
  const answer = await server.get('/api/as-profile/13335', headers);
  t.equal(answer.headers.get('x-ratelimit-limit'), '60');
});

t.test('answers depend on the caller, so no cache may store them', async (t) => {
  for (const path of [
    '/json',
    '/ip',
    '/',
    '/api/ip',
    '/api/ip/8.8.8.8',
    '/api/as-profile/AS1',
    '/api/user/me',
  ])
    t.equal((await server.get(path, from('192.0.2.40'))).headers.get('cache-control'), 'no-store', path);
});

t.test('decision 1: an unknown Expect header is ignored, and the answer has its headers', async (t) => {
  const answer = await raw('GET /ip HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n');
  t.match(answer, /^HTTP\/1\.1 200 /);
  t.match(answer, /X-RateLimit-Reset: \d+/);
});

t.test('decision 2: the addresses of an IPv6 /64 share a bucket', async (t) => {
  const left = async (address: string) =>
    (await server.get('/nothing', from(address))).headers.get('x-ratelimit-remaining');
  t.equal(await left('2a00:1450:1:2::1'), '59');
  t.equal(await left('2a00:1450:1:2:ffff::9'), '58');
  t.equal(await left('2a00:1450:1:3::1'), '59');
});

t.test('decision 68: a /56 has four times the limit of a /64, and its 429 names it', async (t) => {
  let answer = await server.get('/nothing', from('2a00:1450:7:100::1'));
  // If Redis is slow for a moment, the local meter counts and a few more calls pass.
  for (let i = 0; i < 800 && answer.status === 404; i++)
    answer = await server.get('/nothing', from(`2a00:1450:7:1${(10 + (i % 80)).toString()}::1`));
  t.equal(answer.status, 429);
  t.equal(answer.headers.get('x-ratelimit-limit'), '240');
  t.equal(answer.headers.get('x-ratelimit-remaining'), '0');
  t.match(answer.body, {
    msg: /^limit of 240 requests per minute for 2a00:1450:7:100::\/56 exceeded, retry in/,
  });
  t.equal(
    (await server.get('/nothing', from('2a00:1450:7:200::1'))).status,
    404,
    'the next /56 is not affected',
  );
});

t.test('decision 12: infrastructure errors have their own status and the envelope', async (t) => {
  const headers = from('192.0.2.9');
  t.match(await server.get('/nothing', headers), { status: 404, body: { code: 404, msg: /openapi/ } });
  const wrong = await server.ask('/api/ip/batch', { method: 'PUT', headers });
  t.match(wrong, {
    status: 405,
    body: { code: 405, msg: 'method PUT not allowed; see the Allow header' },
  });
  t.match(wrong.headers.get('allow'), 'POST');
  const large = await server.post('/api/ip/batch', `{"ips":["${'1'.repeat(300_000)}"]}`, headers);
  t.match(large, { status: 413, body: { code: 413 } });
});

t.test('decision 12: a short plain X-Request-Id is kept, any other is replaced', async (t) => {
  const idFor = async (id: string) =>
    (await server.get('/healthz', { ...from('192.0.2.10'), 'X-Request-Id': id })).headers.get('x-request-id');
  t.equal(await idFor('trace-17.a_b'), 'trace-17.a_b');
  t.not(await idFor('a b'), 'a b');
  t.not(await idFor('x'.repeat(65)), 'x'.repeat(65));
});

t.test('decision 13: any site may read answers and errors; a preflight lists X-API-Key', async (t) => {
  for (const path of ['/json', '/nothing', '/api/ip/1.2.3']) {
    const { headers } = await server.get(path, from('192.0.2.11'));
    t.equal(headers.get('access-control-allow-origin'), '*', path);
    t.match(headers.get('access-control-expose-headers'), /X-RateLimit-Limit.*X-Dataset-Daily-Used.*ETag/);
  }
  const preflight = await server.ask('/api/ip/batch', { method: 'OPTIONS', headers: from('192.0.2.11') });
  t.match(preflight.headers.get('access-control-allow-headers'), /Authorization.*X-API-Key/);
  t.match(preflight.headers.get('access-control-allow-methods'), /POST/);
});

t.test('decision 14: only entries behind trusted hops count', async (t) => {
  const ipFor = async (forwarded: string) => (await server.get('/ip', from(forwarded))).text.trim();
  t.equal(await ipFor('6.6.6.6, 192.0.2.12'), '192.0.2.12');
  t.equal(await ipFor('6.6.6.6, 192.0.2.12, 127.0.0.1'), '192.0.2.12');
  t.equal(await ipFor('::ffff:192.0.2.12'), '192.0.2.12');
  t.equal(await ipFor('192.0.2.12:4711'), '192.0.2.12');
  t.equal(await ipFor('[2001:0DB8::1]:443'), '2001:db8::1');
  t.equal(await ipFor('192.0.2.12, garbage'), '127.0.0.1');
  t.equal(await ipFor('127.1'), '127.0.0.1');
  const open = await server.another({ trustedProxies: [] });
  t.equal((await open.get('/ip', from('192.0.2.12'))).text, '127.0.0.1\n', 'by default no proxy is trusted');
});

t.test('paths match in any case and with a trailing slash', async (t) => {
  const headers = from('192.0.2.13');
  t.match((await server.get('/API/AS-Profile/13335/', headers)).body, { code: 0 });
  t.equal((await server.get('/IP/', headers)).text, '192.0.2.13\n');
});

t.test('hostile requests are answered without an internal error', async (t) => {
  const headers = from('192.0.2.14');
  t.match((await server.get('/api/ip/%zz', headers)).body, { code: 400 });
  t.equal((await server.get('/%zz', headers)).status, 404);
  t.match((await server.get('/api/ip/1.1.1.1?lang=en&lang=zh&%zz=%', headers)).body, { code: 0 });
  const deep = `{"ips":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const key = { Authorization: `Bearer ${await server.key('free')}` };
  t.match((await server.post('/api/ip/batch', deep, key)).body, { code: 400 });
  for (const body of ['{"ips":', 'null', '17', '', '{"__proto__":{"ips":["1.1.1.1"]}}']) {
    t.match((await server.post('/api/ip/batch', body, headers)).body, { code: 400 }, body);
  }
});

t.test('malformed HTTP gets an answer in JSON, and 1 MB of headers is cut off', async (t) => {
  t.match(await raw('NONSENSE\r\n\r\n'), /^HTTP\/1\.1 400 .*X-Request-Id: .*\{"code":400/s);
  const headers = `X-Large: ${'x'.repeat(1_000_000)}\r\n`;
  t.match(await raw(`GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`), /^HTTP\/1\.1 431 .*\{"code":431/s);
});

t.test('large JSON is compressed in the accepted coding, small JSON is not', async (t) => {
  const coding = async (path: string, accepted: string) =>
    (await server.get(path, { ...from('192.0.2.15'), 'Accept-Encoding': accepted })).headers.get(
      'content-encoding',
    );
  t.equal(await coding('/openapi.json', 'gzip, br'), 'br');
  t.equal(await coding('/openapi.json', 'gzip'), 'gzip');
  t.equal(await coding('/openapi.json', 'br;q=0, gzip;q=0.5'), 'gzip');
  t.equal(await coding('/openapi.json', 'identity'), null);
  t.equal(await coding('/healthz', 'gzip, br'), null);
});

t.test('decision 6: a failed call costs nothing, and a success names its release', async (t) => {
  const key = await server.key('free');
  const headers = { Authorization: `Bearer ${key}` };
  const usage = async () => (await server.get('/api/user/usage', headers)).body;
  t.match((await server.get('/api/ip/1.2.3', headers)).body, { code: 400 });
  t.match((await server.get('/api/ip/nothing.invalid', headers)).body, { code: /400|404|502/ });
  t.match(await usage(), { data: { today: 0 } });
  const found = await server.get('/api/ip/1.1.1.1', headers);
  t.match(found.headers.get('x-data-build'), /^\d{8}T\d{6}Z-/);
  t.match(await usage(), { data: { today: 1 } });
});

/** Returns the account of a key. */
async function authenticated({ accounts }: TestServer, key: string) {
  const found = await accounts.authenticate(key);
  if (found.kind !== 'account') throw new Error(found.kind);
  return found;
}
