import type { Deadline } from '../deadline.js';
import type { DnsClient } from '../dns/dns-client.js';
import type { Target } from '../targets/target.js';
import { UpstreamError } from '../upstream-error.js';
import type { EgressGuard } from './egress-guard.js';

/** The addresses of a host that the guard allows. */
export type PublicAddresses =
  | { readonly kind: 'addresses'; readonly ips: readonly [string, ...string[]] }
  /** The host has addresses, but the guard allows none. */
  | { readonly kind: 'not-public' }
  /** The host has no address. */
  | { readonly kind: 'none' };

/** Resolves a host once and keeps the allowed addresses. Callers connect to these and never resolve again. */
export class PublicHosts {
  constructor(
    private readonly dns: Pick<DnsClient, 'addressesOf'>,
    private readonly guard: EgressGuard,
  ) {}

  /** Returns the allowed addresses, IPv4 first. Throws UpstreamError when no name server answers. */
  async find(target: Target, deadline: Deadline): Promise<PublicAddresses> {
    const all = target.kind === 'address' ? [target.ip] : await this.dns.addressesOf(target.name, deadline);
    const [first, ...rest] = all.filter((ip) => this.guard.allows(ip));
    if (first !== undefined) return { kind: 'addresses', ips: [first, ...rest] };
    return { kind: all.length === 0 ? 'none' : 'not-public' };
  }

  /** Returns the allowed addresses of an upstream server. Throws UpstreamError if there are none. */
  async require(target: Target, deadline: Deadline): Promise<readonly [string, ...string[]]> {
    const found = await this.find(target, deadline);
    if (found.kind === 'addresses') return found.ips;
    const name = target.kind === 'address' ? target.ip : target.name;
    if (found.kind === 'none') throw new UpstreamError('unreachable', `${name} has no address`);
    throw new UpstreamError('not-public', `${name} has no public address`);
  }
}
