import type { DnsClient } from '../../../dns/dns-client.js';
import { EgressGuard } from '../../../egress/egress-guard.js';
import { PublicHosts } from '../../../egress/public-hosts.js';
import { readReservedSpace } from '../../../targets/reserved-space.js';

/** Addresses of names out of a table, in the place of name servers. */
export class MapDns implements Pick<DnsClient, 'addressesOf'> {
  /** Names as they were asked for. */
  readonly asked: string[] = [];

  constructor(readonly addresses: Map<string, readonly string[]>) {}

  addressesOf(name: string): Promise<readonly string[]> {
    this.asked.push(name);
    return Promise.resolve(this.addresses.get(name) ?? []);
  }
}

/** Hosts of a table, behind the real guard with the loopback let through. */
export async function publicHostsOf(dns: MapDns, registryDir: string): Promise<PublicHosts> {
  const reserved = await readReservedSpace(registryDir);
  return new PublicHosts(dns, new EgressGuard({ reserved, denied: [], allowLoopback: true }));
}
