import type { ServerConfig } from '../config.js';
import { CachingClient } from '../dns/caching-client.js';
import type { DnsClient } from '../dns/dns-client.js';
import { StubClient } from '../dns/stub-client.js';
import { EgressGuard } from '../egress/egress-guard.js';
import type { HttpClient } from '../egress/http-client.js';
import { PublicHosts } from '../egress/public-hosts.js';
import { PublicHttpClient } from '../egress/public-http-client.js';
import type { ReservedSpace } from '../targets/reserved-space.js';

/** Outgoing connections: the guard of allowed addresses, DNS, and HTTP on top of both. */
export interface Egress {
  readonly guard: EgressGuard;
  readonly dns: CachingClient;
  /** For calls with many questions at once. Shares the cache of `dns`. */
  readonly bulkDns: DnsClient;
  readonly hosts: PublicHosts;
  /** The owner closes it. */
  readonly http: HttpClient;
}

/** Creates the parts for outgoing connections. */
export function openEgress(
  config: Pick<ServerConfig, 'egressDeny' | 'allowLoopback' | 'dnsServers' | 'upstreams'>,
  reserved: ReservedSpace,
): Egress {
  const { egressDeny: denied, allowLoopback, dnsServers: servers, upstreams } = config;
  const guard = new EgressGuard({ reserved, denied, allowLoopback });
  const mayDisclose = (ip: string): boolean => guard.allows(ip);
  const dns = new CachingClient(new StubClient({ servers, mayDisclose, sockets: SOCKETS }));
  // Separate sockets: hundreds of names without a reply do not delay calls with one name.
  const bulkDns = new CachingClient(new StubClient({ servers, mayDisclose, sockets: BULK_SOCKETS }), {
    sharing: dns,
  });
  const hosts = new PublicHosts(dns, guard);
  const http = new PublicHttpClient({ hosts, guard, extraAuthorities: upstreams.extraAuthorities });
  return { guard, dns, bulkDns, hosts, http };
}

/** Far below 4096 descriptors, together with probes. */
const SOCKETS = 1024;
const BULK_SOCKETS = 512;
