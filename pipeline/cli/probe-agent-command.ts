import type { Environment } from './environment.js';
import { printableLine } from '../text/printable.js';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { AgentFlags } from '../../server/nodes/agent/parse-agent-options.js';
import { VARIABLES } from '../../server/config-variables.js';
import { ConfigError, parseConfig } from '../../server/parse-config.js';
import type { CommandContext } from './context.js';
import { UsageError } from './usage-error.js';
import { AGENT_VARIABLES, describeVariables, type Variables } from './variables.js';

/** The server's variables that the agent reads too. */
const READ: readonly string[] = ['DNS_SERVERS', 'EGRESS_DENY', 'ALLOW_LOOPBACK'];

function sharedVariables(): Variables {
  return Object.fromEntries(Object.entries(VARIABLES).filter(([name]) => READ.includes(name)));
}

/** Adds `probe-agent`. Its modules are loaded when it runs. */
export function addProbeAgentCommand(program: Command, { environment }: CommandContext): void {
  program
    .command('probe-agent')
    .description(
      'test connections from this machine for a server it is registered with, until it receives a signal',
    )
    .option('--server <url>', 'wss://host, several comma-separated; PROBE_SERVER by default')
    .option('--token-file <path>', 'file with the token; PROBE_TOKEN by default')
    .option('--token <token>', 'the token; visible to every user of this machine')
    .option('--jobs <number>', 'jobs that run at the same time, 1-999; 20 by default')
    .option(
      '--self-test <host:port>',
      'address that must accept connections before the node goes online; the server by default',
    )
    .option('--plain', 'allow ws:// to other machines: the token is sent unencrypted')
    .option('--log <level>', 'info or silent; info by default')
    .addHelpText(
      'after',
      `\nEnvironment:\n${describeVariables({ ...AGENT_VARIABLES, ...sharedVariables() })}`,
    )
    .action(async (flags: AgentFlags & { readonly log?: string }) => {
      const { parseAgentOptions } = await import('../../server/nodes/agent/parse-agent-options.js');
      const { runAgent } = await import('../../server/nodes/agent/run-agent.js');
      const { AgentError } = await import('../../server/nodes/agent/probe-agent.js');
      const { NodeError } = await import('../../server/nodes/node-store.js');
      const { bundledFeedsDir, outputDir, readVariable } = environment;
      const read = (name: string): string | undefined =>
        READ.includes(name) ? readVariable(name) : undefined;
      try {
        const options = parseAgentOptions(flags, readVariable);
        const { dnsServers, egressDeny, allowLoopback } = parseConfig(read, outputDir);
        const registryDir = join(bundledFeedsDir, 'iana');
        const config = {
          dnsServers,
          egressDeny,
          allowLoopback,
          registryDir,
          log: logOf(environment, flags.log),
        };
        await untilSignal((stop) => runAgent({ ...options, ...config }, stop));
      } catch (error) {
        // The agent must not be restarted: another start fails too.
        const isUsage = [NodeError, ConfigError, AgentError].some((kind) => error instanceof kind);
        throw isUsage ? new UsageError((error as Error).message) : error;
      }
    });
}

function logOf({ stdout }: Environment, level = 'info'): (line: string) => void {
  if (level === 'silent') return () => undefined;
  if (level !== 'info') throw new UsageError(`invalid --log "${level}": expected info or silent`);
  return (line) => void stdout.write(`${new Date().toISOString()} ${printableLine(line)}\n`);
}

async function untilSignal(run: (stop: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
  };
  // A second signal ends the process at once.
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    await run(stop.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
