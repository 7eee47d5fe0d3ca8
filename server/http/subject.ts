import type { Account } from '../accounts/account.js';
import type { Subject } from '../metering/meter.js';
import { ANONYMOUS, KEYLESS_PER_MINUTE, PLANS, type KeylessBucket } from '../metering/plans.js';
import { sourceOf } from './client-address.js';

/** The limits of a key's plan. */
export function subjectOfAccount({ id, plan }: Account): Subject {
  const { requestsPerMinute, requestsPerDay, creditsPerMonth } = PLANS[plan];
  const subject = { id: `account:${id}`, bucket: 'account', requestsPerMinute, creditsPerMonth };
  return requestsPerDay === undefined ? subject : { ...subject, requestsPerDay };
}

/** The limits of callers without a key. */
export function anonymousSubject(client: string): Subject {
  const { requestsPerMinute, requestsPerDay } = ANONYMOUS;
  return { id: `ip:${sourceOf(client)}`, bucket: 'anonymous', requestsPerMinute, requestsPerDay };
}

/** The limits of what takes no key. */
export function keylessSubject(client: string, bucket: KeylessBucket): Subject {
  return { id: `ip:${sourceOf(client)}`, bucket, requestsPerMinute: KEYLESS_PER_MINUTE[bucket] };
}
