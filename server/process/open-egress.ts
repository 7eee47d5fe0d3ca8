import type { ServerConfig } from '../config.js';
import { CachingClient } from '../dns/caching-client.js';
import type { DnsClient } from '../dns/dns-client.js';
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
  /** For calls that ask many questions at once; the cache is the same. */
  readonly bulkDns: DnsClient;
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
  const mayTell = (ip: string): boolean => guard.allows(ip);
  const dns = new CachingClient(new StubClient({ servers, mayTell, sockets: SOCKETS }));
  // Hundreds of names that nobody answers for take every socket of theirs: who asks for one name does not wait for that.
  const bulkDns = new CachingClient(new StubClient({ servers, mayTell, sockets: BULK_SOCKETS }), {
    sharing: dns,
  });
  const hosts = new PublicHosts(dns, guard);
  const http = new PublicHttpClient({ hosts, guard, extraAuthorities: upstreams.extraAuthorities });
  return { guard, dns, bulkDns, hosts, http };
}

/** Together with probes far fewer than 4096 descriptors. */
const SOCKETS = 1024;
const BULK_SOCKETS = 512;
