import { formatAddress, parseAddress } from '../../pipeline/net/address.js';
import { ANONYMOUS, KEYLESS_PER_MINUTE, PLANS, type KeylessBucket, type PlanId } from './plans.js';

/** The account or source address that a call counts against, with its limits. */
export interface Subject {
  /** `account:17`, `ip:192.0.2.1` or `ip:2001:db8:0:1::/64` (decision 2). Part of the Redis keys, with the bucket. */
  readonly id: string;
  /** `account`, `anonymous`, or a keyless bucket. */
  readonly bucket: string;
  readonly requestsPerMinute: number;
  /** Absent: unlimited. */
  readonly requestsPerDay?: number;
  /** Absent for subjects that pay no credits. */
  readonly creditsPerMonth?: number;
}

/** Returns the subject of an account, with the limits of its plan. */
export function accountSubject({ id, plan }: { readonly id: number; readonly plan: PlanId }): Subject {
  const { requestsPerMinute, requestsPerDay, creditsPerMonth } = PLANS[plan];
  const subject = { id: `account:${id}`, bucket: 'account', requestsPerMinute, creditsPerMonth };
  return requestsPerDay === undefined ? subject : { ...subject, requestsPerDay };
}

/** Returns the subject of a caller without a key. */
export function anonymousSubject(client: string): Subject {
  const { requestsPerMinute, requestsPerDay } = ANONYMOUS;
  return { id: `ip:${sourceOf(client)}`, bucket: 'anonymous', requestsPerMinute, requestsPerDay };
}

/** Returns the subject of a call to an endpoint that takes no key. */
export function keylessSubject(client: string, bucket: KeylessBucket): Subject {
  return { id: `ip:${sourceOf(client)}`, bucket, requestsPerMinute: KEYLESS_PER_MINUTE[bucket] };
}

/** Returns the source that an address counts as: itself, or the /64 of an IPv6 address (decision 2). */
export function sourceOf(client: string): string {
  if (!client.includes(':')) return client;
  const parsed = parseAddress(client);
  if (parsed === undefined) return client;
  parsed.address.fill(0, 2);
  return `${formatAddress(parsed.address, 6)}/64`;
}
