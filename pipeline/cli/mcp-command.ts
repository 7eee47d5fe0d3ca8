import type { Command } from 'commander';
import { ConfigError, parseConfig } from '../../server/parse-config.js';
import { printableLine } from '../text/printable.js';
import type { CommandContext } from './context.js';
import { registryFolders } from './registry-folders.js';
import { UsageError } from './usage-error.js';

/** Adds `mcp`. Its modules are loaded when it runs. */
export function addMcpCommand(program: Command, { environment }: CommandContext): void {
  program
    .command('mcp')
    .description(
      'serve the tools of the Model Context Protocol on standard input and output, from the current release; reads the environment of "serve"; needs no Redis and no key',
    )
    .action(async () => {
      const { serveMcpLocally } = await import('../../server/process/serve-mcp.js');
      const log = (line: string): void => void environment.stderr.write(`ipatlas: ${printableLine(line)}\n`);
      try {
        const settings = parseConfig(environment.readVariable, environment.outputDir);
        await serveMcpLocally({ ...settings, ...registryFolders(environment) }, log);
      } catch (error) {
        throw error instanceof ConfigError ? new UsageError(error.message) : error;
      }
    });
}
