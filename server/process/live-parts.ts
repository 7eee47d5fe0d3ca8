import type { Logger } from 'pino';
import type { ServerConfig } from '../config.js';
import { CachingClient } from '../dns/caching-client.js';
import type { DnsClient } from '../dns/dns-client.js';
import { ReverseDns } from '../dns/reverse-dns.js';
import { StubClient } from '../dns/stub-client.js';
import { EgressGuard } from '../egress/egress-guard.js';
import type { HttpClient } from '../egress/http-client.js';
import { PublicHosts } from '../egress/public-hosts.js';
import { PublicHttpClient } from '../egress/public-http-client.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { StubResolver } from '../targets/system-resolver.js';
import { UpstreamError } from '../upstream-error.js';
import { openWhois } from '../whois/open-whois.js';
import type { WhoisLookup } from '../whois/whois-lookup.js';

/** What talks to the world while a caller waits; lives as long as the process. */
export interface LiveParts {
  readonly guard: EgressGuard;
  readonly dns: DnsClient;
  readonly reverseDns: ReverseDns;
  readonly hosts: PublicHosts;
  readonly http: HttpClient;
  close(): Promise<void>;
}

/** Makes it. */
export function openLiveParts(config: ServerConfig, reserved: ReservedSpace, log: Logger): LiveParts {
  const guard = new EgressGuard({
    reserved,
    denied: config.egressDeny,
    allowLoopback: config.allowLoopback,
  });
  const dns = new CachingClient(new StubClient({ servers: config.dnsServers }));
  const hosts = new PublicHosts(dns, guard);
  const { extraAuthorities } = config.upstreams;
  const http = new PublicHttpClient({ hosts, guard, extraAuthorities });
  return {
    ...{ guard, dns, hosts, http },
    reverseDns: new ReverseDns({ dns, reserved }),
    close: () => http.close(),
  };
}
