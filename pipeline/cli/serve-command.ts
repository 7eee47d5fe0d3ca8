import type { Command } from 'commander';
import { printableLine } from '../text/printable.js';
import type { CommandContext } from './context.js';
import { registryFolders } from './registry-folders.js';
import { UsageError } from './usage-error.js';
import { describeVariables } from './variables.js';
import { VARIABLES } from '../../server/config-variables.js';
import type { ServeFlags } from '../../server/parse-config.js';

/** Adds `serve`. Its modules are loaded when it runs. */
export function addServeCommand(program: Command, { environment }: CommandContext): void {
  const { outputDir, readVariable } = environment;
  program
    .command('serve')
    .description('serve the API from the current release, and switch to each new release')
    .option('--port <number>', 'port to listen on, in place of PORT')
    .option('--workers <number>', 'number of processes, in place of WORKERS')
    .addHelpText('after', `\nEnvironment:\n${describeVariables(VARIABLES)}`)
    .action(async (flags: ServeFlags) => {
      const { ConfigError, parseConfig } = await import('../../server/parse-config.js');
      const { serve } = await import('../../server/serve.js');
      const { openAccounts } = await import('./open-accounts.js');
      const log = (line: string): void => void environment.stderr.write(`ipatlas: ${printableLine(line)}\n`);
      try {
        const settings = parseConfig(readVariable, outputDir, flags);
        const redis = await openAccounts(environment, log);
        try {
          const config = { ...settings, ...registryFolders(environment), redis: redis.address };
          await serve(config, redis.name);
        } finally {
          await redis.stop();
        }
      } catch (error) {
        throw error instanceof ConfigError ? new UsageError(error.message) : error;
      }
    });
}
