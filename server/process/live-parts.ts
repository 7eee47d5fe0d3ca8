import type { ServerConfig } from '../config.js';
import { EgressGuard } from '../egress/egress-guard.js';
import { PublicHosts } from '../egress/public-hosts.js';
import type { Parts } from '../parts.js';
import { TcpProber } from '../probe/tcp-prober.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { StubResolver } from '../targets/system-resolver.js';

/** What talks to the world while a caller waits; lives as long as the process. */
export interface LiveParts extends Pick<Parts, 'guard' | 'hosts' | 'prober' | 'nodes'> {
  close(): Promise<void>;
}

/** Makes it. */
export function openLiveParts(config: ServerConfig, reserved: ReservedSpace): LiveParts {
  const guard = new EgressGuard({
    reserved,
    denied: config.egressDeny,
    allowLoopback: config.allowLoopback,
  });
  const prober = new TcpProber();
  return {
    guard,
    hosts: new PublicHosts(new StubResolver({ servers: config.dnsServers }), guard),
    prober,
    nodes: { online: () => [], probe: () => Promise.resolve({ kind: 'refused' }) },
    close: () => {
      prober.close();
      return Promise.resolve();
    },
  };
}
