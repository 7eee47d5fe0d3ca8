import type { ServerConfig } from '../config.js';
import { CachingClient } from '../dns/caching-client.js';
import type { DnsClient } from '../dns/dns-client.js';
import { StubClient } from '../dns/stub-client.js';
import { EgressGuard } from '../egress/egress-guard.js';
import type { ReservedSpace } from '../targets/reserved-space.js';

/** What talks to the world while a caller waits; lives as long as the process. */
export interface LiveParts {
  readonly guard: EgressGuard;
  readonly dns: DnsClient;
  close(): Promise<void>;
}

/** Makes it. */
export function openLiveParts(config: ServerConfig, reserved: ReservedSpace): LiveParts {
  const guard = new EgressGuard({
    reserved,
    denied: config.egressDeny,
    allowLoopback: config.allowLoopback,
  });
  return {
    guard,
    dns: new CachingClient(new StubClient({ servers: config.dnsServers })),
    close: () => Promise.resolve(),
  };
}
