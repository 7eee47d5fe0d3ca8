import t from 'tap';
import type { Answer } from '../http/answer.js';
import type { Call } from '../http/route.js';
import { newLedgerForTest } from '../ledger/testing/ledger.js';
import { account } from './account.js';
import { usage } from './usage.js';

const ANN = {
  id: 7,
  email: 'ann@example.com',
  nickname: 'Ann',
  created: '2026-11-21T00:00:00.000Z',
} as const;

function callOf(plan: 'pro' | 'enterprise'): Call<unknown, unknown, unknown> {
  return { account: { ...ANN, plan } } as unknown as Call<unknown, unknown, unknown>;
}

function bodyOf(answer: Answer): unknown {
  return answer.kind === 'json' ? answer.body : undefined;
}

t.test('the account shows its plan by its display name; 0 a day is unlimited', (t) => {
  const common = { id: 7, email: 'ann@example.com', nickname: 'Ann' };
  t.same(bodyOf(account.answer(callOf('pro')) as Answer), {
    code: 0,
    data: { ...common, plan: 'Pro', rate_limit: 600, daily_limit: 100_000, batch_limit: 100 },
  });
  t.same(bodyOf(account.answer(callOf('enterprise')) as Answer), {
    code: 0,
    data: { ...common, plan: 'Enterprise', rate_limit: 3000, daily_limit: 0, batch_limit: 500 },
  });
  t.equal(account.terms.kind, 'account', 'decision 8: the minute alone');
  t.end();
});

t.test('decision 9: usage has exactly 30 days, and their sum', async (t) => {
  const { ledger } = await newLedgerForTest(t);
  await ledger.downloads.take(7, 'mmdb');
  const work = usage(ledger).answer(callOf('pro')) as () => Promise<Answer>;
  const answer = await work();
  const { data } = bodyOf(answer) as { data: { daily: { date: string; count: number }[] } };
  t.match(data, { today: 1, month_total: 1, daily_limit: 100_000 });
  t.equal(data.daily.length, 30);
  t.same(
    data.daily,
    data.daily.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
  );
  const route = usage(ledger);
  t.ok(route.shape.kind === 'envelope' && route.shape.data.safeParse(data).success, 'as its schema says');
});
