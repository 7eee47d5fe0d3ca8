import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Finding } from '../../server/doctor/check.js';
import type { Registered } from '../../server/doctor/probe-nodes.js';
import { ConfigError, parseConfig } from '../../server/parse-config.js';
import { print, type CommandContext } from './context.js';
import { UsageError } from './usage-error.js';

/** `doctor`. What it runs on is loaded when it runs. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description(
      'try from here whoever the server asks: DNS servers, resolvers over HTTPS, RDAP, whois and probe nodes; with the environment of "serve"; exit code 1 when something is broken',
    )
    .action(async () => {
      const { examine } = await import('../../server/doctor/examine.js');
      const { describeFindings } = await import('../../server/doctor/describe-findings.js');
      const config = configOf(context);
      const opened = await openNodes(context);
      const findings = await examine(
        { ...config, nodes: opened?.registered },
        { onFinding: progressOf(context) },
      ).finally(() => opened?.stop());
      const isWell = findings.every(({ state }) => state === 'ok');
      print({ ok: isWell, findings }, describeFindings(findings), context);
      context.setExitCode(isWell ? 0 : 1);
    });
}

/** One line that is written anew on a terminal; nothing elsewhere, where the report is enough. */
function progressOf({ isJson }: CommandContext): (finding: Finding, left: number) => void {
  const { stderr } = process;
  if (isJson() || !stderr.isTTY) return () => undefined;
  return ({ group }, left) => {
    stderr.write(`\r\x1b[K${left === 0 ? '' : `${group}: ${left} to go`}`);
  };
}

/** The Redis of `serve`, or why it cannot be had; absent where there never was one. */
async function openNodes({
  environment: { redisUrl, outputDir },
}: CommandContext): Promise<{ registered: Registered; stop: () => Promise<void> } | undefined> {
  const { accountsDirOf, openAccountsRedis } = await import('../jobs/accounts-redis.js');
  const dir = accountsDirOf(outputDir);
  if (redisUrl === undefined && !existsSync(dir)) return undefined;
  try {
    const redis = await openAccountsRedis({ redisUrl, outputDir, log: () => undefined });
    return { registered: redis, stop: () => redis.stop() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { registered: { name: dir, failure: error.message }, stop: () => Promise.resolve() };
  }
}

/** As `serve` has it. Throws UsageError. */
function configOf({ environment }: CommandContext) {
  const { outputDir, bundledFeedsDir, readVariable } = environment;
  try {
    return {
      ...parseConfig(readVariable, outputDir),
      registryDir: join(bundledFeedsDir, 'iana'),
      rdapDirs: [join(outputDir, 'downloads', 'rdap'), join(bundledFeedsDir, 'rdap')],
    };
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}
