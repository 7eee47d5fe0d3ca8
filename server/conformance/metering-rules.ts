import { usedToday, windowOf } from './ask-for.js';
import { expect, expectData, expectFailure, type Check } from './check.js';
import { ACCOUNT, USAGE } from './documented-shapes.js';
import type { Reply } from './service-client.js';

/** What is counted against limits, and in which order a request is looked at. */
export const METERING_RULES: readonly Check[] = [
  {
    name: 'OPTIONS, health and readiness tell of the public limit, and cost nothing (R1)',
    run: async ({ client }) => {
      await inOneWindow(
        () => client.ask('/no/such/route'),
        async (before) => {
          for (const path of ['/healthz', '/readyz']) {
            const { limit } = windowOf(await client.ask(path));
            expect(limit === 60, `${path}: the limit is ${limit} instead of 60`);
          }
          const { limit } = windowOf(await client.ask('/api/nodes', { method: 'OPTIONS' }));
          expect(limit === 60, `OPTIONS: the limit is ${limit} instead of 60`);
          const after = windowOf(await client.ask('/no/such/route'));
          const spent = before.remaining - after.remaining;
          return {
            after,
            verify: () => {
              expect(spent === 1, `${spent} were counted instead of 1`);
            },
          };
        },
      );
    },
  },
  {
    name: 'a key that is sent where none is asked for is ignored (R2)',
    run: async ({ client, key = 'no-such-key' }) => {
      for (const [path, limit] of [
        ['/api/nodes', 60],
        ['/json', 60],
        ['/dns_global/api/regions', 120],
      ] as const) {
        const reply = await client.ask(path, { key });
        const told = windowOf(reply).limit;
        expect(told === limit, `${path}: the limit is ${told} instead of ${limit}`);
        expect(!reply.headers.has('x-auth'), `${path}: it has an X-Auth`);
      }
    },
  },
  {
    name: 'a window is fixed: one request is one less, and it ends within a minute at the same second (R3)',
    run: async ({ client }) => {
      await inOneWindow(
        () => client.ask('/json'),
        async (before, first) => {
          const after = windowOf(await client.ask('/json'));
          const now = Date.parse(first.headers.get('date') ?? '') / 1000;
          const leftSeconds = before.reset - now;
          return {
            after,
            verify: () => {
              expect(before.remaining - after.remaining === 1, 'one request is not one less');
              expect(leftSeconds >= 0 && leftSeconds <= 61, `it ends in ${leftSeconds} s`);
            },
          };
        },
      );
    },
  },
  {
    name: 'the key is looked at before the plan, and the plan before the syntax (R5)',
    needs: 'key',
    run: async ({ client, key }) => {
      expectFailure(await client.ask('/api/tcping/127.1'), 200, 401);
      expectFailure(await client.ask('/api/tcping/10.0.0.1'), 200, 401);
      expectFailure(await client.ask('/api/datasets/nonsense'), 200, 401);
      const { plan } = expectData(await client.once('/api/user/me', { key }), ACCOUNT);
      const code = String(plan).toLowerCase() === 'enterprise' ? 400 : 403;
      expectFailure(await client.ask('/api/datasets/nonsense', { key }), 200, code);
    },
  },
  {
    name: 'Bearer wins over ?token= (R7)',
    needs: 'key',
    run: async ({ client, key }) => {
      expectData(await client.ask('/api/user/me?token=no-such-key', { key }), ACCOUNT);
      const wrong = await client.ask(`/api/user/me?token=${key ?? ''}`, { key: 'no-such-key' });
      expectFailure(wrong, 200, 401);
    },
  },
  {
    name: 'account endpoints count against the minute, and not in usage (R8)',
    needs: 'key',
    run: async (bench) => {
      const { client, key } = bench;
      const used = await usedToday(bench, key);
      await inOneWindow(
        () => client.ask('/api/user/me', { key }),
        async (before) => {
          const after = windowOf(await client.ask('/api/user/me', { key }));
          const isLess = after.remaining < before.remaining;
          return {
            after,
            verify: () => {
              expect(isLess, 'the minute is not counted');
            },
          };
        },
      );
      const more = (await usedToday(bench, key)) - used;
      expect(more === 0, `${more} account calls are in usage`);
    },
  },
  {
    name: 'month_total is the sum of the listed days, today the last of them (R9)',
    needs: 'key',
    run: async ({ client, key }) => {
      const usage = expectData(await client.ask('/api/user/usage', { key }), USAGE);
      const counts = (usage['daily'] as { count: number }[]).map(({ count }) => count);
      const sum = counts.reduce((one, other) => one + other, 0);
      expect(usage['month_total'] === sum, `month_total is ${String(usage['month_total'])}, the sum ${sum}`);
      expect(usage['today'] === counts.at(-1), `today is ${String(usage['today'])}`);
    },
  },
  {
    name: 'name servers that fail are HTTP 502 and code 502, no 404, and are not counted (R11)',
    needs: ['key', 'failing'],
    run: async (bench) => {
      const { client, key, failing = '' } = bench;
      const used = await usedToday(bench, key);
      for (const path of [`/api/dns/${failing}`, `/api/dns/${failing}/A`, `/api/ip/${failing}`]) {
        expectFailure(await client.ask(path, { key }), 502, 502);
      }
      const more = (await usedToday(bench, key)) - used;
      expect(more === 0, `${more} of them were counted`);
    },
  },
  {
    name: 'a forged X-Forwarded-For is not believed (R14)',
    run: async ({ client }) => {
      const headers = { 'x-forwarded-for': '198.51.100.77' };
      const { text } = await client.ask('/ip', { headers });
      expect(/^[0-9a-f.:]+\n$/.test(text), 'it answers with no address');
      expect(text.trim() !== '198.51.100.77', 'it is taken for the source');
    },
  },
];

type Window = ReturnType<typeof windowOf>;

interface Judged {
  readonly after: Window;
  readonly verify: () => void;
}

/** Compares two windows, once more when a minute ended between them. */
async function inOneWindow(
  first: () => Promise<Reply>,
  then: (before: Window, reply: Reply) => Promise<Judged>,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const reply = await first();
    const before = windowOf(reply);
    const { after, verify } = await then(before, reply);
    if (after.reset !== before.reset && attempt === 0) continue;
    verify();
    return;
  }
}
