import { join } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import { UsageError } from './usage-error.js';
import { VARIABLES } from '../../server/config-variables.js';
import type { ServeFlags } from '../../server/parse-config.js';

/** `serve`. What it runs on is loaded when it runs. */
export function addServeCommand(program: Command, { environment }: CommandContext): void {
  const { outputDir, redisUrl, readVariable, bundledFeedsDir } = environment;
  const registryDir = join(bundledFeedsDir, 'iana');
  const rdapDirs = [join(outputDir, 'downloads', 'rdap'), join(bundledFeedsDir, 'rdap')];
  program
    .command('serve')
    .description('answer the API from output/current, and from each release that is published meanwhile')
    .option('--port <number>', 'where to listen, in place of PORT')
    .option('--workers <number>', 'how many processes, in place of WORKERS')
    .addHelpText('after', `\nEnvironment:\n${describeVariables()}`)
    .action(async (flags: ServeFlags) => {
      const { ConfigError, parseConfig } = await import('../../server/parse-config.js');
      const { serve } = await import('../../server/serve.js');
      const { openAccountsRedis } = await import('../jobs/accounts-redis.js');
      const log = (line: string): void => void process.stderr.write(`ipatlas: ${line}\n`);
      try {
        const settings = parseConfig(readVariable, outputDir, flags);
        const redis = await openAccountsRedis({ redisUrl, outputDir, log });
        try {
          await serve({ ...settings, registryDir, rdapDirs, redis: redis.address }, redis.name);
        } finally {
          await redis.stop();
        }
      } catch (error) {
        throw error instanceof ConfigError ? new UsageError(error.message) : error;
      }
    });
}

function describeVariables(): string {
  const width = Math.max(...Object.keys(VARIABLES).map(({ length }) => length));
  const lines = Object.entries(VARIABLES).map(([name, meaning]) => `  ${name.padEnd(width)} ${meaning}`);
  return lines.join('\n');
}
