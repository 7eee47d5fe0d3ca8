import { Option, type Command } from 'commander';
import { chooseReporter } from '../jobs/progress.js';
import { FETCHED } from '../stages/sources.js';
import { print, type CommandContext } from './context.js';
import { liveSettings, type BuildFlags } from './environment.js';

/** The option of every command that downloads. */
export const ACCEPT_SMALL = [
  '--accept-small',
  'take downloads that are smaller than is believed of them, this time',
] as const;

interface FetchFlags extends Pick<BuildFlags, 'acceptSmall'> {
  readonly only?: readonly string[];
}

/** `fetch`. */
export function addFetchCommand(program: Command, context: CommandContext): void {
  const { environment, setExitCode, isJson } = context;
  const only = new Option('--only <source...>', 'these alone').choices(FETCHED);
  program
    .command('fetch')
    .description('download what publishers have renewed, for FEEDS=live; needs no Redis')
    .addOption(only)
    .option(...ACCEPT_SMALL)
    .action(async ({ only: sources = FETCHED, ...flags }: FetchFlags) => {
      const { fetchSources } = await import('./fetch.js');
      const { outputDir, readVariable } = environment;
      const live = liveSettings(environment, flags);
      const reporter = chooseReporter({ json: isJson(), stream: process.stderr });
      const run = { sources, outputDir, live, readVariable, reporter };
      const { text, exitCode, ...report } = await fetchSources(run);
      print(report, text, context);
      setExitCode(exitCode);
    });
}
