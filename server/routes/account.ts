import assert from 'node:assert/strict';
import { z } from 'zod';
import { ok } from '../http/answer.js';
import { defineRoute } from '../http/route.js';
import { PLANS } from '../ledger/plans.js';

const accountSchema = z
  .object({
    id: z.int().describe('Id of the account'),
    email: z.string().describe('Email address of the account'),
    nickname: z.string().describe('Name of the account'),
    plan: z.string().describe('Display name of the plan'),
    rate_limit: z.int().describe('Requests per minute'),
    daily_limit: z.int().describe('Requests per day; 0 means unlimited'),
    batch_limit: z.int().describe('Targets per batch'),
  })
  .meta({ id: 'Account' });

/** GET /api/user/me -> 200 {code:0,data} | 401 */
export const account = defineRoute({
  method: 'get',
  paths: ['/api/user/me'],
  operationId: 'getAccount',
  tag: 'Account',
  summary: 'The account of the key and the limits of its plan.',
  terms: { kind: 'account' },
  params: z.object({}),
  query: z.object({}),
  shape: { kind: 'envelope', data: accountSchema },
  answer: ({ account }) => {
    assert(account, 'a route that requires a key has an account');
    const { id, email, nickname, plan } = account;
    const { name, requestsPerMinute, requestsPerDay, batchLimit } = PLANS[plan];
    const limits = {
      rate_limit: requestsPerMinute,
      daily_limit: requestsPerDay ?? 0,
      batch_limit: batchLimit,
    };
    return ok({ id, email, nickname, plan: name, ...limits });
  },
});
