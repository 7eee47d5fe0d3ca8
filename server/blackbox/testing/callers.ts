import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import type { Account } from '../../accounts/account.js';
import type { PlanId } from '../../metering/plans.js';
import type { CheckedAnswer } from '../../testing/checked-answer.js';
import type { TestServer } from '../../testing/running-server.js';

/** The loopback is believed, so that every test calls from addresses of its own. */
export const BEHIND_PROXY = { trustedProxies: ['127.0.0.1/32'] } as const;

/** Headers of a call from an address. */
export function from(address: string): Record<string, string> {
  return { 'X-Forwarded-For': address };
}

/** Headers of a call with a key. */
export function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

/** Somebody with an account. */
export interface Customer {
  readonly account: Account;
  readonly key: string;
  /** With the key as Bearer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Credits left of the month. */
  credits(): Promise<number>;
  /** Changes what is left of the month. */
  leaveCredits(credits: number): Promise<void>;
  /** The usage endpoint's `today`. */
  usedToday(): Promise<number>;
}

/** Makes an account with a key. */
export async function newCustomer(server: TestServer, plan: PlanId): Promise<Customer> {
  const { accounts } = server;
  const { key, account } = await accounts.createKey({ email: `${randomUUID()}@example.com`, plan });
  const headers = bearer(key);
  const credits = async (): Promise<number> =>
    (await accounts.list()).find(({ id }) => id === account.id)!.creditsLeft;
  return {
    ...{ account, key, headers, credits },
    leaveCredits: async (wanted) => {
      await accounts.addCredits(account.email, wanted - (await credits()));
    },
    usedToday: async () => {
      const { body } = await server.get('/api/user/usage', headers);
      return (body as { data: { today: number } }).data.today;
    },
  };
}

/** What the X-RateLimit headers say. */
export function windowOf({ headers }: Pick<CheckedAnswer, 'headers'>): {
  limit: number;
  remaining: number;
  reset: number;
} {
  const number = (name: string): number => Number(headers.get(`x-ratelimit-${name}`));
  return { limit: number('limit'), remaining: number('remaining'), reset: number('reset') };
}

/** A connection to look into the server's Redis. */
export function plainRedis(t: Test, { redis }: Pick<TestServer, 'redis'>): Redis {
  const client = new Redis(redis.url);
  t.teardown(() => {
    client.disconnect();
  });
  return client;
}

/** The one key that a pattern matches. */
export async function onlyKey(redis: Redis, pattern: string): Promise<string> {
  const [key, ...more] = await redis.keys(pattern);
  if (key === undefined || more.length > 0)
    throw new Error(`${pattern} matches ${key === undefined ? 'no key' : `${key}, ${more.join(', ')}`}`);
  return key;
}
