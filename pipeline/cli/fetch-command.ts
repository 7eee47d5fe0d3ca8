import { Option, type Command } from 'commander';
import { chooseReporter } from '../jobs/progress.js';
import { FETCHED } from '../snapshot/sources.js';
import { print, type CommandContext } from './context.js';
import { liveSettings, type BuildFlags } from './environment.js';

/** The option of all commands that download. */
export const ACCEPT_SMALL = [
  '--accept-small',
  'accept downloads below the expected minimum size, this time',
] as const;

interface FetchFlags extends Pick<BuildFlags, 'acceptSmall'> {
  readonly only?: readonly string[];
}

/** Adds `fetch`. */
export function addFetchCommand(program: Command, context: CommandContext): void {
  const { environment, setExitCode, isJson } = context;
  const only = new Option('--only <source...>', 'download these sources only').choices(FETCHED);
  program
    .command('fetch')
    .description('download new files from the publishers, for FEEDS=live; needs no Redis')
    .addOption(only)
    .option(...ACCEPT_SMALL)
    .action(async ({ only: sources = FETCHED, ...flags }: FetchFlags) => {
      const { fetchSources } = await import('./fetch.js');
      const { outputDir, readVariable, progress: stream, isTerminal } = environment;
      const live = liveSettings(environment, flags);
      const reporter = chooseReporter({ json: isJson(), stream, isTerminal });
      const run = { sources, outputDir, live, readVariable, reporter };
      const { text, exitCode, ...report } = await fetchSources(run);
      print(report, text, context);
      setExitCode(exitCode);
    });
}
