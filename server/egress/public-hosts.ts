import type { Deadline } from '../deadline.js';
import type { DnsClient } from '../dns/dns-client.js';
import type { Target } from '../targets/target.js';
import { UpstreamError } from '../upstream-error.js';
import type { EgressGuard } from './egress-guard.js';

/** Where a host may be connected to. */
export type PublicAddresses =
  | { readonly kind: 'addresses'; readonly ips: readonly [string, ...string[]] }
  /** It has addresses, and none of them may be connected to. */
  | { readonly kind: 'not-public' }
  /** It has no address. */
  | { readonly kind: 'none' };

/** Resolves hosts once, and leaves the addresses that may be connected to: nobody resolves again behind it. */
export class PublicHosts {
  constructor(
    private readonly dns: Pick<DnsClient, 'addressesOf'>,
    private readonly guard: EgressGuard,
  ) {}

  /** IPv4 first. Throws UpstreamError when no name server answers. */
  async find(target: Target, deadline: Deadline): Promise<PublicAddresses> {
    const all = target.kind === 'address' ? [target.ip] : await this.dns.addressesOf(target.name, deadline);
    const [first, ...rest] = all.filter((ip) => this.guard.allows(ip));
    if (first !== undefined) return { kind: 'addresses', ips: [first, ...rest] };
    return { kind: all.length === 0 ? 'none' : 'not-public' };
  }

  /** The same for a server of ours to ask: throws UpstreamError where there is nothing to connect to. */
  async require(target: Target, deadline: Deadline): Promise<readonly [string, ...string[]]> {
    const found = await this.find(target, deadline);
    if (found.kind === 'addresses') return found.ips;
    const name = target.kind === 'address' ? target.ip : target.name;
    if (found.kind === 'none') throw new UpstreamError('unreachable', `${name} has no address`);
    throw new UpstreamError('not-public', `${name} has no public address`);
  }
}
