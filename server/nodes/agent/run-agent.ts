import { networkInterfaces } from 'node:os';
import { CachingClient } from '../../dns/caching-client.js';
import { StubClient } from '../../dns/stub-client.js';
import { EgressGuard } from '../../egress/egress-guard.js';
import { PublicHosts } from '../../egress/public-hosts.js';
import { TcpProber } from '../../probe/tcp-prober.js';
import { readReservedSpace, type ReservedSpace } from '../../targets/reserved-space.js';
import { JobRunner } from './job-runner.js';
import { ProbeAgent } from './probe-agent.js';
import type { SelfTest } from './self-test.js';

/** Configuration of an agent. */
export interface AgentConfig {
  readonly servers: readonly [URL, ...URL[]];
  readonly token: string;
  /** Limit of concurrent jobs. */
  readonly jobs: number;
  readonly selfTest?: SelfTest | undefined;
  /** DNS servers as `address` or `address:port`. Empty means the system's. */
  readonly dnsServers: readonly string[];
  readonly egressDeny: readonly string[];
  readonly allowLoopback: boolean;
  /** Folder of IANA's special-purpose registries. */
  readonly registryDir: string;
  readonly log: (line: string) => void;
}

/** How long running jobs may take after a stop. */
const DRAIN_MS = 15_000;

/** Runs an agent until `stop` is aborted and its running jobs have ended. Throws AgentError. */
export async function runAgent(config: AgentConfig, stop: AbortSignal): Promise<void> {
  const { dnsServers, allowLoopback, egressDeny, jobs } = config;
  const reserved = await readReservedSpace(config.registryDir);
  const guard = new EgressGuard({ reserved, denied: egressDeny, allowLoopback });
  const hosts = new PublicHosts(new CachingClient(new StubClient({ servers: dnsServers })), guard);
  const prober = new TcpProber();
  const runner = new JobRunner({ hosts, prober, maxJobs: jobs });
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

/** Returns whether an interface has a public IPv6 address. The guard cannot decide this: it denies our own addresses. */
export function hasPublicIpv6(
  interfaces: ReturnType<typeof networkInterfaces>,
  reserved: ReservedSpace,
): boolean {
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .some(({ family, internal, address }) => family === 'IPv6' && !internal && !reserved.has(address));
}
