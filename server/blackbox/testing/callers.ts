import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import type { Account } from '../../ledger/accounts/account.js';
import type { PlanId } from '../../ledger/plans.js';
import type { CheckedAnswer } from '../../testing/checked-answer.js';
import type { TestServer } from '../../testing/running-server.js';

/** Trusts X-Forwarded-For from the loopback, so each test uses its own addresses. */
export const BEHIND_PROXY = { trustedProxies: ['127.0.0.1/32'] } as const;

/** Returns the headers of a call from an address. */
export function from(address: string): Record<string, string> {
  return { 'X-Forwarded-For': address };
}

/** Returns the headers of a call with a key. */
export function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

/** A customer of a test server. */
export interface Customer {
  readonly account: Account;
  readonly key: string;
  /** The Authorization header with the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the credits left this month. */
  readonly credits: () => Promise<number>;
  /** Sets the credits left this month. */
  readonly leaveCredits: (credits: number) => Promise<void>;
  /** Returns `today` of the usage endpoint. */
  readonly usedToday: () => Promise<number>;
}

/** Creates an account with a key. */
export async function newCustomer(server: TestServer, plan: PlanId): Promise<Customer> {
  const { accounts } = server;
  const { key, account } = await accounts.createKey({ email: `${randomUUID()}@example.com`, plan });
  const headers = bearer(key);
  const credits = async (): Promise<number> =>
    (await accounts.list()).find(({ id }) => id === account.id)!.creditsLeft;
  return {
    account,
    key,
    headers,
    credits,
    leaveCredits: async (wanted) => {
      await accounts.addCredits(account.email, wanted - (await credits()));
    },
    usedToday: async () => {
      const { body } = await server.get('/api/user/usage', headers);
      return (body as { data: { today: number } }).data.today;
    },
  };
}

/** Returns the values of the X-RateLimit headers. */
export function windowOf({ headers }: Pick<CheckedAnswer, 'headers'>): {
  limit: number;
  remaining: number;
  reset: number;
} {
  const number = (name: string): number => Number(headers.get(`x-ratelimit-${name}`));
  return { limit: number('limit'), remaining: number('remaining'), reset: number('reset') };
}

/** Opens a connection to the server's Redis. */
export function plainRedis(t: Test, { redis }: Pick<TestServer, 'redis'>): Redis {
  const client = new Redis(redis.url);
  t.teardown(() => {
    client.disconnect();
  });
  return client;
}

/** Returns the only key that matches a pattern. */
export async function onlyKey(redis: Redis, pattern: string): Promise<string> {
  const [key, ...more] = await redis.keys(pattern);
  if (key === undefined || more.length > 0)
    throw new Error(`${pattern} matches ${key === undefined ? 'no key' : `${key}, ${more.join(', ')}`}`);
  return key;
}
