import type { Test } from 'tap';
import { newRedisForTest } from '../../../pipeline/testing/redis-server.js';
import type { Authentication } from '../accounts/account.js';
import { openLedger, type Ledger, type LedgerOptions } from '../ledger.js';
import type { Subject } from '../subject.js';

/** Opens a ledger with its own Redis. Both are closed when the test ends. */
export async function newLedgerForTest(
  t: Test,
  options: Partial<LedgerOptions> = {},
): Promise<{ ledger: Ledger; url: string; pid: number }> {
  const { url, pid } = await newRedisForTest(t);
  return { ledger: await openForTest(t, url, options), url, pid };
}

/** Opens another ledger on the same Redis, or on the cluster of some servers. */
export async function openForTest(
  t: Test,
  at: string | readonly string[],
  options: Partial<LedgerOptions> = {},
): Promise<Ledger> {
  const redis = typeof at === 'string' ? { url: at } : { urls: at };
  const ledger = openLedger({ redis, timeZone: 'UTC', ...options });
  t.teardown(() => {
    ledger.close();
  });
  if (!(await ledger.ready(10_000))) throw new Error(`no Redis at ${String(at)}`);
  return ledger;
}

/** Returns an account's subject with the test's own limits. */
export function subjectOf(id: number, numbers: Partial<Subject> = {}): Subject {
  return {
    id: `account:${id}`,
    bucket: 'account',
    requestsPerMinute: 1_000_000,
    requestsPerDay: 1_000_000,
    creditsPerMonth: 1000,
    ...numbers,
  };
}

/** Returns the subject of a source without credits. */
export function sourceOf(ip: string, numbers: Partial<Subject> = {}): Subject {
  return { id: `ip:${ip}`, bucket: 'anonymous', requestsPerMinute: 30, requestsPerDay: 1000, ...numbers };
}

/** Checks a key until the result is cached. A subscription that takes effect meanwhile clears the cache. */
export async function untilSeen({ accounts }: Ledger, key: string): Promise<Authentication> {
  for (;;) {
    const seen = accounts.authenticate(key);
    if (!(seen instanceof Promise)) return seen;
    await seen;
  }
}
