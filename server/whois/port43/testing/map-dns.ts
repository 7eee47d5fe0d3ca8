import type { DnsClient } from '../../../dns/dns-client.js';
import { EgressGuard } from '../../../egress/egress-guard.js';
import { PublicHosts } from '../../../egress/public-hosts.js';
import { readReservedSpace } from '../../../targets/reserved-space.js';

/** Resolves names from a table instead of name servers. */
export class MapDns implements Pick<DnsClient, 'addressesOf'> {
  /** The queried names. */
  readonly asked: string[] = [];

  constructor(readonly addresses: Map<string, readonly string[]>) {}

  addressesOf(name: string): Promise<readonly string[]> {
    this.asked.push(name);
    return Promise.resolve(this.addresses.get(name) ?? []);
  }
}

/** Returns hosts of a table behind the real guard, with loopback allowed. */
export async function publicHostsOf(dns: MapDns, registryDir: string): Promise<PublicHosts> {
  const reserved = await readReservedSpace(registryDir);
  return new PublicHosts(dns, new EgressGuard({ reserved, denied: [], allowLoopback: true }));
}
