import { usedToday } from './ask-for.js';
import { expect, expectData, expectFailure, type Check } from './check.js';
import { ACCOUNT, IP_RECORD } from './documented-shapes.js';

/** Keys, plans and what is counted. */
export const ACCESS_RULES: readonly Check[] = [
  {
    name: 'what needs a key is code 401 with HTTP 200 without one (R7)',
    run: async ({ client, open }) => {
      for (const path of ['/api/user/me', '/api/user/usage', '/api/datasets/asn', `/api/tcping/${open}`]) {
        expectFailure(await client.ask(path), 200, 401);
        expectFailure(await client.ask(path, { key: 'no-such-key' }), 200, 401);
      }
    },
  },
  {
    name: 'a wrong key where none is needed is anonymous, and X-Auth says invalid (R7)',
    run: async ({ client, ip }) => {
      const reply = await client.ask(`/api/ip/${ip}`, { key: 'no-such-key' });
      expectData(reply, IP_RECORD);
      expect(reply.headers.get('x-auth') === 'invalid', 'no X-Auth: invalid');
    },
  },
  {
    name: '?token= is taken with a Deprecation header, X-API-Key is not read (R7)',
    needs: 'key',
    run: async ({ client, key }) => {
      const reply = await client.ask(`/api/user/me?token=${key ?? ''}`);
      expectData(reply, ACCOUNT);
      expect(reply.headers.has('deprecation'), 'no Deprecation header');
      const headers = { 'x-api-key': key ?? '' };
      expectFailure(await client.ask('/api/user/me', { headers }), 200, 401);
    },
  },
  {
    name: 'a batch over the limit of the plan is code 400 (R21)',
    needs: 'key',
    run: async ({ client, key }) => {
      const { batch_limit } = expectData(await client.once('/api/user/me', { key }), ACCOUNT);
      const ips = Array.from({ length: Number(batch_limit) + 1 }, () => '1.1.1.1');
      expectFailure(await client.ask('/api/ip/batch', { key, json: { ips } }), 200, 400);
    },
  },
  {
    name: 'a call that succeeds is counted once, one that fails is not (R6, R9)',
    needs: 'key',
    run: async (bench) => {
      const before = await usedToday(bench, bench.key);
      expectData(await bench.client.ask(`/api/ip/${bench.ip}`, { key: bench.key }), IP_RECORD);
      await bench.client.ask('/api/ip/batch', { key: bench.key, json: { ips: [bench.ip, bench.ip] } });
      expectFailure(await bench.client.ask('/api/ip/127.1', { key: bench.key }), 200, 400);
      const counted = (await usedToday(bench, bench.key)) - before;
      expect(counted === 2, `${counted} calls were counted instead of 2`);
    },
  },
  {
    name: 'a download asks for the enterprise plan: code 403 below (R5)',
    needs: 'key',
    run: async ({ client, key }) => {
      const { plan } = expectData(await client.once('/api/user/me', { key }), ACCOUNT);
      if (String(plan).toLowerCase() === 'enterprise') return;
      expectFailure(await client.ask('/api/datasets/asn', { key }), 200, 403);
    },
  },
  {
    name: 'a download that is not asked for again: 304 by ETag, 416 beyond the end (R39, R40)',
    needs: 'enterpriseKey',
    run: async ({ client, enterpriseKey: key }) => {
      const info = (await client.ask('/api/datasets/asn/info')).body as {
        data: { sha256: string; size: number };
      };
      const { sha256, size } = info.data;
      const same = { 'if-none-match': `"${sha256}"` };
      const { status } = await client.ask('/api/datasets/asn', { key, headers: same });
      expect(status === 304, `HTTP ${status} instead of 304`);
      const beyond = { range: `bytes=${size}-` };
      const far = await client.ask('/api/datasets/asn', { key, headers: beyond });
      expect(far.status === 416, `HTTP ${far.status} instead of 416`);
      expect(far.headers.get('content-range') === `bytes */${size}`, 'Content-Range does not tell the size');
    },
  },
];
