import { expect, expectFailure, type Check } from './check.js';

/** Headers, methods and cross-origin requests. */
export const HEADER_RULES: readonly Check[] = [
  {
    name: 'an unknown route is HTTP 404, a wrong method 405, a body over 256 kB 413, all as JSON (R12)',
    run: async ({ client }) => {
      expectFailure(await client.ask('/no/such/route'), 404, 404);
      expectFailure(await client.ask('/api/nodes', { method: 'DELETE' }), 405, 405);
      const json = { ips: ['x'.repeat(300_000)] };
      expectFailure(await client.ask('/api/ip/batch', { json }), 413, 413);
    },
  },
  {
    name: 'CORS is open but on /api/rdns (R13)',
    run: async ({ client, ip }) => {
      const headers = { origin: 'https://somewhere.example.com' };
      const open = ['/api/ip', '/json', '/ip', `/api/ip/${ip}`, '/api/nodes', '/dns_global/api/regions'];
      for (const path of open) {
        const reply = await client.ask(path, { headers });
        expect(reply.headers.get('access-control-allow-origin') === '*', `${path} is closed`);
      }
      const closed = await client.ask('/api/rdns', { headers });
      expect(!closed.headers.has('access-control-allow-origin'), '/api/rdns is open');
    },
  },
  {
    name: 'scripts of other sites may read the headers that matter (R13)',
    run: async ({ client }) => {
      const { headers } = await client.ask('/json', { headers: { origin: 'https://a.example.com' } });
      const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/\s*,\s*/);
      for (const name of EXPOSED) expect(exposed.includes(name), `${name} is not exposed`);
    },
  },
  {
    name: 'a preflight lists X-API-Key and costs nothing (R1, R7)',
    run: async ({ client, ip }) => {
      const headers = { origin: 'https://a.example.com', 'access-control-request-method': 'GET' };
      const reply = await client.ask(`/api/ip/${ip}`, { method: 'OPTIONS', headers });
      expect(reply.status === 204 || reply.status === 200, `HTTP ${reply.status}`);
      const allowed = (reply.headers.get('access-control-allow-headers') ?? '').toLowerCase();
      for (const name of ['x-api-key', 'authorization']) expect(allowed.includes(name), `no ${name}`);
    },
  },
  {
    name: 'limits per minute: own IP 60, BGP 60, global DNS 120, anonymous 30 (R2)',
    run: async ({ client, ip }) => {
      const limits = { '/ip': 60, '/api/nodes': 60, '/dns_global/api/regions': 120, [`/api/ip/${ip}`]: 30 };
      for (const [path, limit] of Object.entries(limits)) {
        const told = (await client.ask(path)).headers.get('x-ratelimit-limit');
        expect(told === String(limit), `${path}: ${String(told)} instead of ${limit}`);
      }
    },
  },
];

const EXPOSED = [
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after', 'etag'],
  ...['x-dataset-hourly-limit', 'x-dataset-hourly-used', 'x-dataset-daily-limit', 'x-dataset-daily-used'],
  ...['content-disposition', 'x-request-id'],
];

/** What spends a whole limit, and what looks back at every answer of the run. */
export const LAST_RULES: readonly Check[] = [
  {
    name: 'over the limit: HTTP 429 with Retry-After, as text on /ip (R3)',
    run: async ({ client }) => {
      for (let i = 0; i < 130; i++) {
        const { status, headers, text } = await client.ask('/ip', { whenSpent: 'take it' });
        if (status === 200) continue;
        expect(status === 429, `HTTP ${status}`);
        expect((headers.get('content-type') ?? '').startsWith('text/plain'), 'it is not text/plain');
        expect(/^\d+$/.test(headers.get('retry-after') ?? ''), `no Retry-After: ${text.slice(0, 60)}`);
        expectFailure(await client.ask('/json', { whenSpent: 'take it' }), 429, 429);
        return;
      }
      expect(false, '130 requests in a row were let through');
    },
  },
  {
    name: 'every answer of this run has X-RateLimit-Limit, -Remaining and -Reset, and a request id (R1, R12)',
    run: async ({ client }) => {
      await Promise.resolve();
      expect(client.seen.length > 0, 'there was no answer');
      for (const { asked, reply } of client.seen) {
        for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
          const value = reply.headers.get(name);
          expect(value !== null && /^\d+$/.test(value), `${asked}: ${name} is ${String(value)}`);
        }
        expect(reply.headers.has('x-request-id'), `${asked}: no X-Request-Id`);
      }
      const ids = new Set(client.seen.map(({ reply }) => reply.headers.get('x-request-id')));
      expect(ids.size === client.seen.length, `${client.seen.length} answers have ${ids.size} request ids`);
    },
  },
];
