import type { ServerConfig } from '../config.js';
import { EgressGuard } from '../egress/egress-guard.js';
import { PublicHosts } from '../egress/public-hosts.js';
import { PublicHttpClient } from '../egress/public-http-client.js';
import { Failure } from '../failure.js';
import type { HostResolver } from '../targets/host-resolver.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { StubResolver } from '../targets/system-resolver.js';
import { UpstreamError } from '../upstream-error.js';
import { openWhois } from '../whois/open-whois.js';
import type { WhoisLookup } from '../whois/whois-lookup.js';

/** What talks to the world while a caller waits; lives as long as the process. */
export interface LiveParts {
  readonly guard: EgressGuard;
  readonly whois: WhoisLookup;
  close(): Promise<void>;
}

/** Makes it. `log` hears what operators should know. */
export function openLiveParts(
  config: ServerConfig,
  reserved: ReservedSpace,
  log: (line: string) => void,
): LiveParts {
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
  const port43 = { ask: () => Promise.resolve({ kind: 'no-registry' } as const) };
  const whois = openWhois(config, { http, port43, log });
  return {
    guard,
    whois: whois.whois,
    close: async () => {
      whois.close();
      await http.close();
    },
  };
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
