import type { ServerConfig } from '../config.js';
import { CachingClient } from '../dns/caching-client.js';
import { StubClient } from '../dns/stub-client.js';
import { EgressGuard } from '../egress/egress-guard.js';
import type { HttpClient } from '../egress/http-client.js';
import { PublicHosts } from '../egress/public-hosts.js';
import { PublicHttpClient } from '../egress/public-http-client.js';
import type { ReservedSpace } from '../targets/reserved-space.js';

/** The way out: what may be connected to, where names are, and HTTP on top of both. */
export interface Egress {
  readonly guard: EgressGuard;
  readonly dns: CachingClient;
  readonly hosts: PublicHosts;
  /** To be closed. */
  readonly http: HttpClient;
}

/** Makes it. */
export function openEgress(
  config: Pick<ServerConfig, 'egressDeny' | 'allowLoopback' | 'dnsServers' | 'upstreams'>,
  reserved: ReservedSpace,
): Egress {
  const { egressDeny: denied, allowLoopback, dnsServers: servers, upstreams } = config;
  const guard = new EgressGuard({ reserved, denied, allowLoopback });
  const dns = new CachingClient(new StubClient({ servers, mayTell: (ip) => guard.allows(ip) }));
  const hosts = new PublicHosts(dns, guard);
  const http = new PublicHttpClient({ hosts, guard, extraAuthorities: upstreams.extraAuthorities });
  return { guard, dns, hosts, http };
}
