import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { SMALL_HOSTS } from './testing/hosts.js';
import { DnsServer } from '../testing/dns-server.js';
import type { CheckedAnswer } from '../testing/checked-answer.js';
import { runServer } from '../testing/running-server.js';
import { BEHIND_PROXY, from, newCustomer, onlyKey, plainRedis, windowOf } from './testing/callers.js';
import { ROUTES } from './testing/routes.js';

const dns = await DnsServer.start(SMALL_HOSTS);
t.teardown(() => dns.close());
const server = await runServer(t, { ...BEHIND_PROXY, dnsServers: [dns.address] });

/** A request. */
interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers of every answer. */
function hasFrameHeaders(t: Test, { headers }: CheckedAnswer, what: string): void {
  const { limit, remaining, reset } = windowOf({ headers });
  const now = Date.now() / 1000;
  t.ok(Number.isInteger(limit) && limit > 0, `${what}: limit`);
  t.ok(Number.isInteger(remaining) && remaining >= 0 && remaining <= limit, `${what}: remaining`);
  t.ok(Number.isInteger(reset) && reset > now - 30 && reset <= now + 61, `${what}: reset`);
  t.match(headers.get('x-request-id'), /^\S+$/, `${what}: request id`);
  t.equal(headers.get('access-control-allow-origin'), '*', `${what}: CORS`);
  for (const name of [
    'X-RateLimit-Reset',
    'Retry-After',
    'X-Dataset-Hourly-Used',
    'Content-Disposition',
    'ETag',
    'X-Request-Id',
  ])
    t.match(headers.get('access-control-expose-headers'), name, `${what}: exposes ${name}`);
  t.equal(headers.get('x-content-type-options'), 'nosniff', `${what}: sent once`);
  t.equal(headers.get('content-security-policy'), "default-src 'none'", `${what}: decision 63`);
  t.equal(headers.get('referrer-policy'), 'no-referrer', `${what}: decision 63`);
}

t.test(
  'decisions 1, 12 and 13: answers with every status have the window, an id and CORS headers',
  async (t) => {
    const free = await newCustomer(server, 'free');
    const poor = await newCustomer(server, 'free');
    await poor.leaveCredits(0);
    const rich = await newCustomer(server, 'enterprise');
    const { headers: etag } = await server.get('/api/datasets/asn', rich.headers);
    const large = `{"ips":["${'1'.repeat(300_000)}"]}`;
    const json = { 'Content-Type': 'application/json' };
    const asked: [status: number, code: number | undefined, path: string, init: Sent][] = [
      [200, 0, '/api/ip/1.1.1.1', { headers: free.headers }],
      [200, 400, '/api/ip/1.2.3', { headers: free.headers }],
      [200, 401, '/api/user/me', {}],
      [402, 402, '/api/ip/1.1.1.1', { headers: poor.headers }],
      [200, 403, '/api/datasets/asn', { headers: free.headers }],
      [200, 404, '/api/as-profile/4200', {}],
      [404, 404, '/nowhere', {}],
      [405, 405, '/api/ip/batch', { method: 'PUT' }],
      [413, 413, '/api/ip/batch', { method: 'POST', body: large, headers: json }],
      [502, 502, '/api/ip/broken.example.com', {}],
      [200, undefined, '/ip', {}],
      [200, undefined, '/api/ip/1.1.1.1', { method: 'HEAD' }],
      [204, undefined, '/api/ip/1.1.1.1', { method: 'OPTIONS' }],
      [404, 404, '/nowhere', { method: 'OPTIONS' }],
      [200, undefined, '/api/datasets/asn', { method: 'HEAD', headers: rich.headers }],
      [
        304,
        undefined,
        '/api/datasets/asn',
        { headers: { ...rich.headers, 'If-None-Match': etag.get('etag')! } },
      ],
      [206, undefined, '/api/datasets/asn', { headers: { ...rich.headers, Range: 'bytes=0-9' } }],
      [416, undefined, '/api/datasets/asn', { headers: { ...rich.headers, Range: 'bytes=99999999-' } }],
      [200, undefined, '/healthz', {}],
      [200, undefined, '/readyz', {}],
      [200, undefined, '/openapi.json', { method: 'HEAD' }],
    ];
    for (const [status, code, path, init] of asked) {
      const what = `${init.method ?? 'GET'} ${path} is ${status}`;
      const answer = await server.ask(path, { ...init, headers: { ...from('192.0.2.1'), ...init.headers } });
      t.equal(answer.status, status, what);
      if (code !== undefined) t.equal((answer.body as { code: number }).code, code, `${what}, code ${code}`);
      hasFrameHeaders(t, answer, what);
    }
  },
);

t.test('decisions 1 and 12: answers with 429 and 500 have them too', async (t) => {
  let last = await server.get('/json', from('192.0.2.2'));
  for (let i = 0; i < 60; i++) last = await server.get('/json', from('192.0.2.2'));
  t.equal(last.status, 429);
  hasFrameHeaders(t, last, '429');
  const broken = await runServer(t, BEHIND_PROXY);
  const { headers, usedToday } = await newCustomer(broken, 'enterprise');
  rmSync(join(broken.outputDir, 'current', 'download'), { recursive: true });
  const fault = await broken.get('/api/datasets/asn', headers);
  t.match(fault, { status: 500, body: { code: 500, msg: 'cannot read the dataset file' } });
  t.notMatch(fault.text, /ENOENT|releases/, 'nothing of our insides');
  hasFrameHeaders(t, fault, '500');
  t.equal(await usedToday(), 0, 'decision 39: and it is not counted');
});

t.test(
  'decision 1: remaining decreases by one down to 0; reset is the end of the minute, rounded up',
  async (t) => {
    const redis = plainRedis(t, server);
    const ask = () => server.get('/api/ip/1.1.1.1', from('192.0.2.3'));
    const windows = [];
    for (let i = 0; i < 33; i++) windows.push(windowOf(await ask()));
    t.same(
      windows.map(({ remaining }) => remaining),
      Array.from({ length: 33 }, (_, i) => Math.max(0, 29 - i)),
    );
    const endMs = await redis.pexpiretime(await onlyKey(redis, '*m:anonymous:ip:192.0.2.3'));
    for (const { reset } of windows) {
      t.ok(reset * 1000 >= endMs, 'never before the window ends');
      t.ok(reset * 1000 < endMs + 2000, 'and not long after');
    }
  },
);

t.test(
  'decision 1: OPTIONS of every route, HEAD and GET of every page report the public bucket and do not count',
  async (t) => {
    const headers = from('192.0.2.4');
    const asked = [
      ...ROUTES.map(({ path }) => ['OPTIONS', path] as const),
      ...['GET', 'HEAD', 'OPTIONS'].flatMap((method) =>
        ['/healthz', '/readyz', '/openapi.json'].map((path) => [method, path] as const),
      ),
      ['OPTIONS', '/nowhere'] as const,
    ];
    for (const [method, path] of asked) {
      const answer = await server.ask(path, { method, headers });
      t.match(windowOf(answer), { limit: 60, remaining: 60 }, `${method} ${path}`);
    }
    t.equal(windowOf(await server.get('/nowhere', headers)).remaining, 59, 'an unknown route takes one');
  },
);

t.test(
  'decisions 7 and 13: the CORS preflight of every route allows every key header that clients use',
  async (t) => {
    for (const { method, path } of ROUTES) {
      const { headers, status } = await server.ask(path, {
        method: 'OPTIONS',
        headers: {
          ...from('192.0.2.5'),
          Origin: 'https://example.com',
          'Access-Control-Request-Method': method,
          'Access-Control-Request-Headers': 'authorization',
        },
      });
      t.equal(status, 204, path);
      t.equal(headers.get('access-control-allow-origin'), '*', path);
      t.match(headers.get('access-control-allow-methods'), method, path);
      for (const name of ['Authorization', 'Content-Type', 'X-API-Key'])
        t.match(headers.get('access-control-allow-headers'), name, path);
    }
  },
);
