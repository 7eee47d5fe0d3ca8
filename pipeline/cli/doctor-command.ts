import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Finding } from '../../server/doctor/check.js';
import type { NodesRedis } from '../../server/doctor/probe-nodes.js';
import { ConfigError, parseConfig } from '../../server/parse-config.js';
import { print, type CommandContext } from './context.js';
import { registryFolders } from './registry-folders.js';
import { UsageError } from './usage-error.js';

/** Adds `doctor`. Its modules are loaded when it runs. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description(
      'test every external service of the server from this machine: DNS servers, resolvers over HTTPS, RDAP, whois, the edge worker and probe nodes; warns of dangerous settings; reads the environment of "serve"; exit code 1 if any of them fails',
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
      const isOk = findings.every(({ state }) => state !== 'broken');
      print({ ok: isOk, findings }, describeFindings(findings), context);
      context.setExitCode(isOk ? 0 : 1);
    });
}

/** Shows the progress on one line of a terminal; nothing without a terminal. */
function progressOf({ environment, isJson }: CommandContext): (finding: Finding, left: number) => void {
  const { progress, isTerminal } = environment;
  if (isJson() || !isTerminal) return () => undefined;
  return ({ group }, left) => {
    progress.write(`\r\x1b[K${left === 0 ? '' : `${group}: ${left} left`}`);
  };
}

/** Opens the Redis of `serve`, or returns why that failed; absent when there has never been one. */
async function openNodes({
  environment,
}: CommandContext): Promise<{ registered: NodesRedis; stop: () => Promise<void> } | undefined> {
  const { accountsDirOf } = await import('../jobs/accounts-redis.js');
  const { accountsSettings, openAccounts } = await import('./open-accounts.js');
  const dir = accountsDirOf(environment.outputDir);
  const isChosen = Object.keys(accountsSettings(environment)).length > 0;
  if (!isChosen && !existsSync(dir)) return undefined;
  try {
    const redis = await openAccounts(environment, () => undefined);
    return { registered: redis, stop: () => redis.stop() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { registered: { name: dir, failure: error.message }, stop: () => Promise.resolve() };
  }
}

/** Returns the settings that `serve` would have. Throws UsageError. */
function configOf({ environment }: CommandContext) {
  const { outputDir, readVariable } = environment;
  try {
    return {
      ...parseConfig(readVariable, outputDir),
      ...registryFolders(environment),
    };
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}
