import assert from 'node:assert/strict';
import { z } from 'zod';
import { ok } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { PLANS } from '../ledger/plans.js';
import type { Parts } from '../parts.js';

const usageSchema = z
  .object({
    today: z.int().describe('Successful calls today'),
    month_total: z.int().describe('Successful calls of the listed days'),
    daily_limit: z.int().describe('Requests per day; 0 means unlimited'),
    daily: z
      .array(
        z.object({
          date: z.iso.date().describe('Day in the time zone of the server'),
          count: z.int().describe('Successful calls; 0 on days without calls'),
        }),
      )
      .length(30)
      .describe('Ascending, today last'),
  })
  .meta({ id: 'Usage' });

/** GET /api/user/usage -> 200 {code:0,data} | 401 | 503 without Redis */
export function usage({ usage }: Pick<Parts, 'usage'>): Route {
  return defineRoute({
    method: 'get',
    paths: ['/api/user/usage'],
    operationId: 'getUsage',
    tag: 'Account',
    summary: 'Successful calls of the last 30 days, by day.',
    terms: { kind: 'account' },
    params: z.object({}),
    query: z.object({}),
    shape: { kind: 'envelope', data: usageSchema },
    answer: ({ account }) => {
      assert(account, 'a route that requires a key has an account');
      const { id, plan } = account;
      return async () => {
        const { today, monthTotal, daily } = await usage.usageOf(id);
        const daily_limit = PLANS[plan].requestsPerDay ?? 0;
        return ok({ today, month_total: monthTotal, daily_limit, daily });
      };
    },
  });
}
