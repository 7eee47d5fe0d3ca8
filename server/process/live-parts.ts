import type { Logger } from 'pino';
import type { ServerConfig } from '../config.js';
import { EgressGuard } from '../egress/egress-guard.js';
import { PublicHosts } from '../egress/public-hosts.js';
import { openNodes, type Nodes } from '../nodes/open-nodes.js';
import type { Parts } from '../parts.js';
import { TcpProber } from '../probe/tcp-prober.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { StubResolver } from '../targets/system-resolver.js';

/** What talks to the world while a caller waits; lives as long as the process. */
export interface LiveParts extends Pick<Parts, 'guard' | 'hosts' | 'prober' | 'nodes'> {
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
  const prober = new TcpProber();
  const probeNodes = openNodes({
    ...{ redis: config.redis, guard, times: config.nodeTimes },
    log: (line) => {
      log.info(line);
    },
  });
  return {
    guard,
    hosts: new PublicHosts(new StubResolver({ servers: config.dnsServers }), guard),
    prober,
    ...{ nodes: probeNodes.relay, probeNodes },
    close: () => {
      prober.close();
      probeNodes.close();
      return Promise.resolve();
    },
  };
}
