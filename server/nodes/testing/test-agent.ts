import type { Lifetime } from '../../../pipeline/testing/lifetime.js';
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
  /** Resolves when the agent ends, with the error it threw. */
  readonly ended: Promise<unknown>;
}

/** Addresses by name. */
export type Names = Readonly<Record<string, readonly string[]>>;

/** Starts an agent that reconnects immediately. Stopped when the test ends. `servers` are http roots. */
export async function startTestAgent(
  t: Lifetime,
  {
    servers,
    token,
    names = {},
    prober = new TcpProber(),
    maxJobs = 5,
    ...more
  }: {
    servers: readonly string[];
    token: string;
    names?: Names;
    prober?: Prober;
    maxJobs?: number;
  } & Partial<Pick<AgentParts, 'selfTest' | 'reconnectMs'>>,
): Promise<TestAgent> {
  const lines: string[] = [];
  const hosts = new PublicHosts(knowing(names), await testGuard());
  const [first, ...rest] = servers.map((server) => new URL(server.replace('http', 'ws')));
  const agent = new ProbeAgent({
    servers: [first!, ...rest],
    token,
    ipv6: false,
    hosts,
    prober,
    runner: new JobRunner({ hosts, prober, maxJobs }),
    log: (line) => lines.push(line),
    reconnectMs: () => 20,
    ...more,
  });
  const ended = agent.run().catch((error: unknown) => error);
  t.teardown(() => agent.stop(0));
  return { agent, lines, ended };
}

/** Returns a resolver that knows exactly these names. */
export function knowing(names: Names): Pick<DnsClient, 'addressesOf'> {
  return { addressesOf: (name) => Promise.resolve(names[name] ?? []) };
}
