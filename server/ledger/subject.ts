import { formatAddress, parseAddress } from '../../pipeline/net/address.js';
import { ANONYMOUS, KEYLESS_PER_MINUTE, PLANS, WIDER, type KeylessBucket, type PlanId } from './plans.js';

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
  /** Ids of the networks of WIDER around an IPv6 source: `ip:2001:db8::/56`, `ip:2001:db8::/48` (decision 68). */
  readonly wider?: readonly [string, string];
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
  return sourceSubject(client, { bucket: 'anonymous', requestsPerMinute, requestsPerDay });
}

/** Returns the subject of a call to an endpoint that takes no key. */
export function keylessSubject(client: string, bucket: KeylessBucket): Subject {
  return sourceSubject(client, { bucket, requestsPerMinute: KEYLESS_PER_MINUTE[bucket] });
}

/** Returns the source that an address counts as: itself, or the /64 of an IPv6 address (decision 2). */
export function sourceOf(client: string): string {
  const address = parseIpv6(client);
  return address === undefined ? client : networkOf(address, 64);
}

function sourceSubject(client: string, limits: Omit<Subject, 'id' | 'wider'>): Subject {
  const address = parseIpv6(client);
  if (address === undefined) return { id: `ip:${client}`, ...limits };
  const id = `ip:${networkOf(address, 64)}`;
  const [narrow, wide] = WIDER;
  const wider = [
    `ip:${networkOf(address, narrow.lengthBits)}`,
    `ip:${networkOf(address, wide.lengthBits)}`,
  ] as const;
  return { id, ...limits, wider };
}

function parseIpv6(client: string): Uint32Array | undefined {
  return client.includes(':') ? parseAddress(client)?.address : undefined;
}

/** Clears the bits of an IPv6 address after the first `lengthBits`, 33..64, and returns the network. */
function networkOf(address: Uint32Array, lengthBits: number): string {
  address[1]! &= -1 << (64 - lengthBits);
  address.fill(0, 2);
  return `${formatAddress(address, 6)}/${lengthBits}`;
}
