import { join } from 'node:path';
import type { Command } from 'commander';
import type { AgentFlags } from '../../server/nodes/agent/parse-agent-options.js';
import { ConfigError, parseConfig } from '../../server/parse-config.js';
import type { CommandContext } from './context.js';
import { UsageError } from './usage-error.js';

/** Variables of the server that mean the same here. */
const READ: readonly string[] = ['DNS_SERVERS', 'EGRESS_DENY', 'ALLOW_LOOPBACK'];

/** `probe-agent`. What it runs on is loaded when it runs. */
export function addProbeAgentCommand(program: Command, { environment }: CommandContext): void {
  program
    .command('probe-agent')
    .description(
      'try connections from this machine for a server that knows it as a node, until a signal ends it',
    )
    .option('--server <url>', 'wss://host, several with commas between; PROBE_SERVER by default')
    .option('--token-file <path>', 'file with the token; PROBE_TOKEN by default')
    .option('--token <token>', 'the token itself: every user of this machine can see it')
    .option('--jobs <number>', 'at the same time; 20 by default')
    .option('--self-test <host:port>', 'what must take connections before work begins; the server by default')
    .option('--plain', 'allow ws:// to other machines: all on the way can read the token')
    .option('--log <level>', 'info or silent; info by default')
    .addHelpText(
      'after',
      `\nEnvironment: PROBE_SERVER, PROBE_TOKEN, and as for "ipatlas serve" ${READ.join(', ')}`,
    )
    .action(async (flags: AgentFlags & { readonly log?: string }) => {
      const { parseAgentOptions } = await import('../../server/nodes/agent/parse-agent-options.js');
      const { runAgent } = await import('../../server/nodes/agent/run-agent.js');
      const { AgentError } = await import('../../server/nodes/agent/probe-agent.js');
      const { NodeError } = await import('../../server/nodes/node-registry.js');
      const { bundledFeedsDir, outputDir, readVariable } = environment;
      const read = (name: string): string | undefined =>
        READ.includes(name) ? readVariable(name) : undefined;
      try {
        const options = parseAgentOptions(flags, readVariable);
        const { dnsServers, egressDeny, allowLoopback } = parseConfig(read, outputDir);
        const registryDir = join(bundledFeedsDir, 'iana');
        const config = { dnsServers, egressDeny, allowLoopback, registryDir, log: logOf(flags.log) };
        await untilSignal((stop) => runAgent({ ...options, ...config }, stop));
      } catch (error) {
        // An agent that must not go on is no failure that another start mends.
        const isUsage = [NodeError, ConfigError, AgentError].some((kind) => error instanceof kind);
        throw isUsage ? new UsageError((error as Error).message) : error;
      }
    });
}

function logOf(level = 'info'): (line: string) => void {
  if (level === 'silent') return () => undefined;
  if (level !== 'info') throw new UsageError(`--log "${level}" makes no sense: info or silent`);
  return (line) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}

async function untilSignal(run: (stop: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
  };
  // A second one ends the process there and then.
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    await run(stop.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
