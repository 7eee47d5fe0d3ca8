import type { ServerConfig } from '../config.js';
import { EgressGuard } from '../egress/egress-guard.js';
import type { HttpClient } from '../egress/http-client.js';
import { PublicHosts } from '../egress/public-hosts.js';
import { PublicHttpClient } from '../egress/public-http-client.js';
import { Failure } from '../failure.js';
import type { HostResolver } from '../targets/host-resolver.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { StubResolver } from '../targets/system-resolver.js';
import { UpstreamError } from '../upstream-error.js';

/** The way out: what may be connected to, where names are, and HTTP on top of both. */
export interface Egress {
  readonly guard: EgressGuard;
  readonly hosts: PublicHosts;
  /** To be closed. */
  readonly http: HttpClient;
}

/** Makes it. */
export function openEgress(
  config: Pick<ServerConfig, 'egressDeny' | 'allowLoopback' | 'dnsServers' | 'upstreams'>,
  reserved: ReservedSpace,
): Egress {
  const guard = new EgressGuard({
    reserved,
    denied: config.egressDeny,
    allowLoopback: config.allowLoopback,
  });
  const hosts = new PublicHosts(
    addressesFrom(new StubResolver({ servers: config.dnsServers, budgetMs: 3000 })),
    guard,
  );
  const http = new PublicHttpClient({ hosts, guard, extraAuthorities: config.upstreams.extraAuthorities });
  return { guard, hosts, http };
}

/** The first address of a host, as the DNS client would say it. */
function addressesFrom(resolver: HostResolver) {
  return {
    addressesOf: async (name: string): Promise<readonly string[]> => {
      try {
        const ip = await resolver.resolve(name);
        return ip === undefined ? [] : [ip];
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        throw new UpstreamError('timeout', `no name server answers for ${name}`, { cause: error });
      }
    },
  };
}
