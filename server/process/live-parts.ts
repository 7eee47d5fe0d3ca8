import type { Logger } from 'pino';
import type { ServerConfig } from '../config.js';
import { CachingClient } from '../dns/caching-client.js';
import { StubClient } from '../dns/stub-client.js';
import { EgressGuard } from '../egress/egress-guard.js';
import { PublicHosts } from '../egress/public-hosts.js';
import { openNodes, type Nodes } from '../nodes/open-nodes.js';
import type { Parts } from '../parts.js';
import { TcpProber } from '../probe/tcp-prober.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { StubResolver } from '../targets/system-resolver.js';
import { UpstreamError } from '../upstream-error.js';
import { openWhois } from '../whois/open-whois.js';
import type { WhoisLookup } from '../whois/whois-lookup.js';

/** What talks to the world while a caller waits; lives as long as the process. */
export interface LiveParts extends Pick<Parts, 'guard' | 'dns' | 'hosts' | 'prober' | 'nodes'> {
  readonly probeNodes: Nodes;
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
  const prober = new TcpProber();
  const probeNodes = openNodes({
    ...{ redis: config.redis, guard, times: config.nodeTimes },
    log: (line) => {
      log.info(line);
    },
  });
  return {
    guard,
    dns,
    hosts: new PublicHosts(dns, guard),
    prober,
    ...{ nodes: probeNodes.relay, probeNodes },
    close: () => {
      prober.close();
      probeNodes.close();
      return Promise.resolve();
    },
  };
}
