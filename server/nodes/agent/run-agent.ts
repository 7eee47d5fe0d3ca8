import { networkInterfaces } from 'node:os';
import { CachingClient } from '../../dns/caching-client.js';
import { StubClient } from '../../dns/stub-client.js';
import { EgressGuard } from '../../egress/egress-guard.js';
import { PublicHosts } from '../../egress/public-hosts.js';
import { TcpProber } from '../../probe/tcp-prober.js';
import { readReservedSpace } from '../../targets/reserved-space.js';
import { JobRunner } from './job-runner.js';
import { ProbeAgent } from './probe-agent.js';
import { hasPublicIpv6 } from './public-ipv6.js';
import type { SelfTest } from './self-test.js';

/** What an agent is started with. */
export interface AgentConfig {
  readonly servers: readonly [URL, ...URL[]];
  readonly token: string;
  /** Jobs at the same time. */
  readonly jobs: number;
  readonly selfTest?: SelfTest | undefined;
  /** DNS servers as `address` or `address:port`; of the system when empty. */
  readonly dnsServers: readonly string[];
  readonly egressDeny: readonly string[];
  readonly allowLoopback: boolean;
  /** Folder of IANA's special-purpose registries. */
  readonly registryDir: string;
  readonly log: (line: string) => void;
}

/** Jobs that run when the agent is told to end may take so long. */
const DRAIN_MS = 15_000;

/** Runs an agent until `stop` is aborted, and then what it has begun. Throws AgentError. */
export async function runAgent(config: AgentConfig, stop: AbortSignal): Promise<void> {
  const { dnsServers, allowLoopback, egressDeny, jobs } = config;
  const reserved = await readReservedSpace(config.registryDir);
  const guard = new EgressGuard({ reserved, denied: egressDeny, allowLoopback });
  const hosts = new PublicHosts(new CachingClient(new StubClient({ servers: dnsServers })), guard);
  const prober = new TcpProber();
  const runner = new JobRunner({ hosts, prober, most: jobs });
  const agent = new ProbeAgent({
    ...config,
    hosts,
    prober,
    runner,
    ipv6: hasPublicIpv6(networkInterfaces(), reserved),
  });
  const running = agent.run();
  const end = (): void => void agent.stop(DRAIN_MS);
  if (stop.aborted) end();
  stop.addEventListener('abort', end, { once: true });
  try {
    await running;
  } finally {
    stop.removeEventListener('abort', end);
    prober.close();
  }
}
