import { expect, expectFailure, type Rule } from './check.js';

/** Headers, methods and cross-origin requests. */
export const HEADER_RULES: readonly Rule[] = [
  {
    name: 'an unknown route is HTTP 404, a wrong method 405, a body over 256 kB 413, all as JSON',
    decisions: [12],
    run: async ({ client }) => {
      expectFailure(await client.ask('/no/such/route'), 404, 404);
      expectFailure(await client.ask('/api/nodes', { method: 'DELETE' }), 405, 405);
      const json = { ips: ['x'.repeat(300_000)] };
      expectFailure(await client.ask('/api/ip/batch', { json }), 413, 413);
    },
  },
  {
    name: 'CORS allows every origin, except on /api/rdns',
    decisions: [13],
    run: async ({ client, ip }) => {
      const headers = { origin: 'https://somewhere.example.com' };
      const open = ['/api/ip', '/json', '/ip', `/api/ip/${ip}`, '/api/nodes', '/dns_global/api/regions'];
      for (const path of open) {
        const reply = await client.ask(path, { headers });
        expect(
          reply.headers.get('access-control-allow-origin') === '*',
          `${path} does not allow every origin`,
        );
      }
      const closed = await client.ask('/api/rdns', { headers });
      expect(!closed.headers.has('access-control-allow-origin'), '/api/rdns allows other origins');
    },
  },
  {
    name: 'CORS exposes the documented response headers',
    decisions: [13],
    run: async ({ client }) => {
      const { headers } = await client.ask('/json', { headers: { origin: 'https://a.example.com' } });
      const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/\s*,\s*/);
      for (const name of EXPOSED) expect(exposed.includes(name), `${name} is not exposed`);
    },
  },
  {
    name: 'a preflight allows X-API-Key and is not counted',
    decisions: [1, 7],
    run: async ({ client, ip }) => {
      const headers = { origin: 'https://a.example.com', 'access-control-request-method': 'GET' };
      const reply = await client.ask(`/api/ip/${ip}`, { method: 'OPTIONS', headers });
      expect(reply.status === 204 || reply.status === 200, `HTTP ${reply.status}`);
      const allowed = (reply.headers.get('access-control-allow-headers') ?? '').toLowerCase();
      for (const name of ['x-api-key', 'authorization'])
        expect(allowed.includes(name), `${name} is not allowed`);
    },
  },
  {
    name: 'limits per minute: own IP 60, BGP 60, global DNS 120, anonymous 30',
    decisions: [2],
    run: async ({ client, ip }) => {
      const limits = { '/ip': 60, '/api/nodes': 60, '/dns_global/api/regions': 120, [`/api/ip/${ip}`]: 30 };
      for (const [path, limit] of Object.entries(limits)) {
        const reported = (await client.ask(path)).headers.get('x-ratelimit-limit');
        expect(reported === String(limit), `${path}: limit ${String(reported)}, expected ${limit}`);
      }
    },
  },
];

const EXPOSED = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'etag',
  'x-dataset-hourly-limit',
  'x-dataset-hourly-used',
  'x-dataset-daily-limit',
  'x-dataset-daily-used',
  'content-disposition',
  'x-request-id',
];

/** Rules that use up a limit or check every response of the run. They run last. */
export const LAST_RULES: readonly Rule[] = [
  {
    name: 'above the limit: HTTP 429 with Retry-After, as text on /ip',
    decisions: [3],
    run: async ({ client }) => {
      for (let i = 0; i < 130; i++) {
        const { status, headers, text } = await client.ask('/ip', { whenSpent: 'return' });
        if (status === 200) continue;
        expect(status === 429, `HTTP ${status}`);
        expect(
          (headers.get('content-type') ?? '').startsWith('text/plain'),
          'content type is not text/plain',
        );
        expect(
          /^\d+$/.test(headers.get('retry-after') ?? ''),
          `missing header Retry-After: ${text.slice(0, 60)}`,
        );
        expectFailure(await client.ask('/json', { whenSpent: 'return' }), 429, 429);
        return;
      }
      expect(false, '130 requests in a row without HTTP 429');
    },
  },
  {
    name: 'every response has X-RateLimit-Limit, -Remaining and -Reset, and a unique request id',
    decisions: [1, 12],
    run: async ({ client }) => {
      await Promise.resolve();
      expect(client.seen.length > 0, 'no responses');
      for (const { asked, reply } of client.seen) {
        for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
          const value = reply.headers.get(name);
          expect(value !== null && /^\d+$/.test(value), `${asked}: ${name} is ${String(value)}`);
        }
        expect(reply.headers.has('x-request-id'), `${asked}: missing header X-Request-Id`);
      }
      const ids = new Set(client.seen.map(({ reply }) => reply.headers.get('x-request-id')));
      expect(ids.size === client.seen.length, `${ids.size} request ids in ${client.seen.length} responses`);
    },
  },
];
