import { usedToday, windowOf } from './ask-for.js';
import { expect, expectData, expectFailure, type Rule } from './check.js';
import { ACCOUNT, USAGE } from './documented-shapes.js';
import type { Reply } from './service-client.js';

/** Counting against limits, and the order of checks on a request. */
export const METERING_RULES: readonly Rule[] = [
  {
    name: 'OPTIONS, health and readiness show the public limit and are not counted',
    decisions: [1],
    run: async ({ client }) => {
      await inOneWindow(
        () => client.ask('/no/such/route'),
        async (before) => {
          for (const path of ['/healthz', '/readyz']) {
            const { limit } = windowOf(await client.ask(path));
            expect(limit === 60, `${path}: limit ${limit}, expected 60`);
          }
          const { limit } = windowOf(await client.ask('/api/nodes', { method: 'OPTIONS' }));
          expect(limit === 60, `OPTIONS: limit ${limit}, expected 60`);
          const after = windowOf(await client.ask('/no/such/route'));
          const spent = before.remaining - after.remaining;
          return {
            after,
            verify: () => {
              expect(spent === 1, `${spent} requests counted, expected 1`);
            },
          };
        },
      );
    },
  },
  {
    name: 'a key is ignored where none is needed',
    decisions: [2],
    run: async ({ client, key = 'no-such-key' }) => {
      for (const [path, limit] of [
        ['/api/nodes', 60],
        ['/json', 60],
        ['/dns_global/api/regions', 120],
      ] as const) {
        const reply = await client.ask(path, { key });
        const reported = windowOf(reply).limit;
        expect(reported === limit, `${path}: limit ${reported}, expected ${limit}`);
        expect(!reply.headers.has('x-auth'), `${path}: unexpected header X-Auth`);
      }
    },
  },
  {
    name: 'a window is fixed: each request reduces it by one, and it ends within a minute',
    decisions: [3],
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
              expect(before.remaining - after.remaining === 1, 'remaining did not decrease by one');
              expect(
                leftSeconds >= 0 && leftSeconds <= 61,
                `the window ends in ${leftSeconds} s, expected 0-61`,
              );
            },
          };
        },
      );
    },
  },
  {
    name: 'the key is checked before the plan, and the plan before the syntax',
    decisions: [5],
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
    name: 'Bearer takes precedence over ?token=',
    decisions: [7],
    needs: 'key',
    run: async ({ client, key }) => {
      expectData(await client.ask('/api/user/me?token=no-such-key', { key }), ACCOUNT);
      const wrong = await client.ask(`/api/user/me?token=${key ?? ''}`, { key: 'no-such-key' });
      expectFailure(wrong, 200, 401);
    },
  },
  {
    name: 'account endpoints count against the minute but not in usage',
    decisions: [8],
    needs: 'key',
    run: async (context) => {
      const { client, key } = context;
      const used = await usedToday(context, key);
      await inOneWindow(
        () => client.ask('/api/user/me', { key }),
        async (before) => {
          const after = windowOf(await client.ask('/api/user/me', { key }));
          const isLess = after.remaining < before.remaining;
          return {
            after,
            verify: () => {
              expect(isLess, 'remaining did not decrease');
            },
          };
        },
      );
      const more = (await usedToday(context, key)) - used;
      expect(more === 0, `${more} account calls counted in usage`);
    },
  },
  {
    name: 'month_total is the sum of the listed days, and today is the last of them',
    decisions: [9],
    needs: 'key',
    run: async ({ client, key }) => {
      const usage = expectData(await client.ask('/api/user/usage', { key }), USAGE);
      const counts = (usage['daily'] as { count: number }[]).map(({ count }) => count);
      const sum = counts.reduce((one, other) => one + other, 0);
      expect(usage['month_total'] === sum, `month_total is ${String(usage['month_total'])}, expected ${sum}`);
      expect(usage['today'] === counts.at(-1), `today is ${String(usage['today'])}`);
    },
  },
  {
    name: 'failing name servers are HTTP 502 with code 502, not 404, and are not counted',
    decisions: [11],
    needs: ['key', 'failing'],
    run: async (context) => {
      const { client, key, failing = '' } = context;
      const used = await usedToday(context, key);
      for (const path of [`/api/dns/${failing}`, `/api/dns/${failing}/A`, `/api/ip/${failing}`]) {
        expectFailure(await client.ask(path, { key }), 502, 502);
      }
      const more = (await usedToday(context, key)) - used;
      expect(more === 0, `${more} failed calls counted`);
    },
  },
  {
    name: 'a forged X-Forwarded-For is ignored',
    decisions: [14],
    run: async ({ client }) => {
      const headers = { 'x-forwarded-for': '198.51.100.77' };
      const { text } = await client.ask('/ip', { headers });
      expect(/^[0-9a-f.:]+\n$/.test(text), 'the body is not an address');
      expect(text.trim() !== '198.51.100.77', 'the forged address is used as the source');
    },
  },
];

type Window = ReturnType<typeof windowOf>;

interface Judged {
  readonly after: Window;
  readonly verify: () => void;
}

/** Compares two windows. Repeats once if a minute ended between them. */
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
