import type { Lifetime } from '../../../pipeline/jobs/testing/lifetime.js';
import type { DnsClient } from '../../dns/dns-client.js';
import { PublicHosts } from '../../egress/public-hosts.js';
import type { Prober } from '../../probe/prober.js';
import { TcpProber } from '../../probe/tcp-prober.js';
import { JobRunner } from '../agent/job-runner.js';
import { ProbeAgent, type AgentParts } from '../agent/probe-agent.js';
import { testGuard } from './node-server.js';

/** An agent in this process. */
export interface TestAgent {
  readonly agent: ProbeAgent;
  readonly lines: readonly string[];
  /** Resolves after its end; with what it threw. */
  readonly ended: Promise<unknown>;
}

/** Names that a test agent knows, and their addresses. */
export type Names = Readonly<Record<string, readonly string[]>>;

/** Starts one that comes back at once; it ends with the test at the latest. `servers` are roots, http. */
export async function startTestAgent(
  t: Lifetime,
  {
    servers,
    token,
    names = {},
    prober = new TcpProber(),
    most = 5,
    ...more
  }: {
    servers: readonly string[];
    token: string;
    names?: Names;
    prober?: Prober;
    most?: number;
  } & Partial<Pick<AgentParts, 'selfTest' | 'reconnectMs'>>,
): Promise<TestAgent> {
  const lines: string[] = [];
  const hosts = new PublicHosts(knowing(names), await testGuard());
  const [first, ...rest] = servers.map((server) => new URL(server.replace('http', 'ws')));
  const agent = new ProbeAgent({
    ...{ servers: [first!, ...rest], token, ipv6: false, hosts, prober },
    runner: new JobRunner({ hosts, prober, most }),
    log: (line) => lines.push(line),
    reconnectMs: () => 20,
    ...more,
  });
  const ended = agent.run().catch((error: unknown) => error);
  t.teardown(() => agent.stop(0));
  return { agent, lines, ended };
}

/** Of what agents ask a resolver. */
export function knowing(names: Names): Pick<DnsClient, 'addressesOf'> {
  return { addressesOf: (name) => Promise.resolve(names[name] ?? []) };
}
