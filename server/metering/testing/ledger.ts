import type { Test } from 'tap';
import { newRedisForTest } from '../../../pipeline/jobs/testing/redis-server.js';
import type { Authentication } from '../../accounts/account.js';
import { openLedger, type Ledger, type LedgerOptions } from '../../accounts/ledger.js';
import type { Subject } from '../meter.js';

/** A ledger over a Redis of its own, both gone when the test ends. */
export async function newLedgerForTest(
  t: Test,
  options: Partial<LedgerOptions> = {},
): Promise<{ ledger: Ledger; url: string; pid: number }> {
  const { url, pid } = await newRedisForTest(t);
  return { ledger: await openForTest(t, url, options), url, pid };
}

/** Another ledger over the same Redis. */
export async function openForTest(
  t: Test,
  url: string,
  options: Partial<LedgerOptions> = {},
): Promise<Ledger> {
  const ledger = openLedger({ redis: { url }, timeZone: 'UTC', ...options });
  t.teardown(() => {
    ledger.close();
  });
  if (!(await ledger.ready(10_000))) throw new Error(`no Redis at ${url}`);
  return ledger;
}

/** An account's subject with numbers of the test's own. */
export function subjectOf(id: number, numbers: Partial<Subject> = {}): Subject {
  return {
    id: `account:${id}`,
    bucket: 'account',
    ...{ requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000, creditsPerMonth: 1000 },
    ...numbers,
  };
}

/** A source that pays no credits. */
export function sourceOf(ip: string, numbers: Partial<Subject> = {}): Subject {
  return { id: `ip:${ip}`, bucket: 'anonymous', requestsPerMinute: 30, requestsPerDay: 1000, ...numbers };
}

/** Presents a key until the answer is there at once: a subscription that just began makes it forgotten again. */
export async function untilSeen({ accounts }: Ledger, key: string): Promise<Authentication> {
  for (;;) {
    const seen = accounts.authenticate(key);
    if (!(seen instanceof Promise)) return seen;
    await seen;
  }
}
