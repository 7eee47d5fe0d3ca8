import { usedToday } from './ask-for.js';
import { expect, expectData, expectFailure, type Rule } from './check.js';
import { ACCOUNT, IP_RECORD } from './documented-shapes.js';

/** Keys, plans and counting. */
export const ACCESS_RULES: readonly Rule[] = [
  {
    name: 'endpoints that need a key answer HTTP 200 with code 401 without one',
    decisions: [7],
    run: async ({ client, open }) => {
      for (const path of ['/api/user/me', '/api/user/usage', '/api/datasets/asn', `/api/tcping/${open}`]) {
        expectFailure(await client.ask(path), 200, 401);
        expectFailure(await client.ask(path, { key: 'no-such-key' }), 200, 401);
      }
    },
  },
  {
    name: 'a wrong key where none is needed counts as anonymous, with X-Auth: invalid',
    decisions: [7],
    run: async ({ client, ip }) => {
      const reply = await client.ask(`/api/ip/${ip}`, { key: 'no-such-key' });
      expectData(reply, IP_RECORD);
      expect(reply.headers.get('x-auth') === 'invalid', 'missing header X-Auth: invalid');
    },
  },
  {
    name: '?token= works with a Deprecation header; X-API-Key is ignored',
    decisions: [7],
    needs: 'key',
    run: async ({ client, key }) => {
      const reply = await client.ask(`/api/user/me?token=${key ?? ''}`);
      expectData(reply, ACCOUNT);
      expect(reply.headers.has('deprecation'), 'missing header Deprecation');
      const headers = { 'x-api-key': key ?? '' };
      expectFailure(await client.ask('/api/user/me', { headers }), 200, 401);
    },
  },
  {
    name: "a batch above the plan's limit is code 400",
    decisions: [21],
    needs: 'key',
    run: async ({ client, key }) => {
      const { batch_limit } = expectData(await client.once('/api/user/me', { key }), ACCOUNT);
      const ips = Array.from({ length: Number(batch_limit) + 1 }, () => '1.1.1.1');
      expectFailure(await client.ask('/api/ip/batch', { key, json: { ips } }), 200, 400);
    },
  },
  {
    name: 'a successful call counts once, a failed one does not count',
    decisions: [6, 9],
    needs: 'key',
    run: async (context) => {
      const before = await usedToday(context, context.key);
      expectData(await context.client.ask(`/api/ip/${context.ip}`, { key: context.key }), IP_RECORD);
      await context.client.ask('/api/ip/batch', {
        key: context.key,
        json: { ips: [context.ip, context.ip] },
      });
      expectFailure(await context.client.ask('/api/ip/127.1', { key: context.key }), 200, 400);
      const counted = (await usedToday(context, context.key)) - before;
      expect(counted === 2, `${counted} calls counted, expected 2`);
    },
  },
  {
    name: 'a download requires the enterprise plan; other plans get code 403',
    decisions: [5],
    needs: 'key',
    run: async ({ client, key }) => {
      const { plan } = expectData(await client.once('/api/user/me', { key }), ACCOUNT);
      if (String(plan).toLowerCase() === 'enterprise') return;
      expectFailure(await client.ask('/api/datasets/asn', { key }), 200, 403);
    },
  },
  {
    name: 'a download: 304 for a known ETag, 416 for a range beyond the end',
    decisions: [39, 40],
    needs: 'enterpriseKey',
    run: async ({ client, enterpriseKey: key }) => {
      const info = (await client.ask('/api/datasets/asn/info')).body as {
        data: { sha256: string; size: number };
      };
      const { sha256, size } = info.data;
      const same = { 'if-none-match': `"${sha256}"` };
      const { status } = await client.ask('/api/datasets/asn', { key, headers: same });
      expect(status === 304, `HTTP ${status}, expected 304`);
      const beyond = { range: `bytes=${size}-` };
      const far = await client.ask('/api/datasets/asn', { key, headers: beyond });
      expect(far.status === 416, `HTTP ${far.status}, expected 416`);
      expect(
        far.headers.get('content-range') === `bytes */${size}`,
        'Content-Range does not contain the size',
      );
    },
  },
];
