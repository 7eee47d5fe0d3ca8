import assert from 'node:assert';
import { newAddress, parseAddressInto } from '../../pipeline/net/address.js';
import { formatPrefix, maskInto } from '../../pipeline/net/prefix.js';
import type { Account } from '../accounts/account.js';
import type { Subject } from './meter.js';
import { ANONYMOUS, KEYLESS_PER_MINUTE, PLANS, type KeylessBucket } from './plans.js';
import { accountSubjectId } from './redis-keys.js';

/** An account, with the numbers of its plan. */
export function accountSubject(account: Account): Subject {
  const { requestsPerMinute, requestsPerDay, creditsPerMonth } = PLANS[account.plan];
  const id = accountSubjectId(account.id);
  return requestsPerDay === undefined
    ? { id, bucket: 'account', requestsPerMinute, creditsPerMonth }
    : { id, bucket: 'account', requestsPerMinute, requestsPerDay, creditsPerMonth };
}

/** A caller without a key, at an endpoint where one is optional. `client` is as in `Call`. */
export function anonymousSubject(client: string): Subject {
  const { requestsPerMinute, requestsPerDay } = ANONYMOUS;
  return { id: sourceId(client), bucket: 'anonymous', requestsPerMinute, requestsPerDay };
}

/** A caller of endpoints that take no key. `client` is as in `Call`. */
export function keylessSubject(client: string, bucket: KeylessBucket): Subject {
  return { id: sourceId(client), bucket, requestsPerMinute: KEYLESS_PER_MINUTE[bucket] };
}

/** `ip:` with the IPv4 address, or the /64 of the IPv6 address: one line of a customer has as much (ruling 2). */
function sourceId(client: string): string {
  return client.includes(':') ? `ip:${ipv6Network(client)}` : `ip:${client}`;
}

/** Sockets name the interface of a link-local peer: `fe80::1%eth0`. */
function ipv6Network(client: string): string {
  const zone = client.indexOf('%');
  const address = newAddress();
  const family = parseAddressInto(client, address, 0, zone < 0 ? client.length : zone);
  assert(family === 6, `a client's address is no address: ${client}`);
  maskInto(address, 64);
  return formatPrefix(address, 64, 6);
}
