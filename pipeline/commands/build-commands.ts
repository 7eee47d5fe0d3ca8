import { Option, type Command } from 'commander';
import { chooseReporter } from '../jobs/progress.js';
import { ACCEPTABLE_GATES } from '../release/gate-names.js';
import { print, type CommandContext } from './context.js';
import { buildSettings, concurrencyOf, type BuildFlags } from './environment.js';
import { ACCEPT_SMALL } from './fetch-command.js';

/** `build` and `worker`. What they run on is loaded when they run: no other command needs BullMQ. */
export function addBuildCommands(program: Command, context: CommandContext): void {
  const { environment, setExitCode, isJson } = context;
  const reporter = () => chooseReporter({ json: isJson(), stream: process.stderr });
  const accept = new Option(
    '--accept <gate...>',
    'publish although these gates say no, for this build',
  ).choices(ACCEPTABLE_GATES);
  program
    .command('build')
    .description('fetch, ingest, compile and publish; unchanged inputs are not read again')
    .option('--force', 'compile and publish even when nothing is new')
    .addOption(accept)
    .option(...ACCEPT_SMALL)
    .action(async (flags: BuildFlags) => {
      const settings = buildSettings(environment, flags);
      const { build, EXIT_REFUSALS } = await import('./build.js');
      const { redisUrl, processorFile } = environment;
      const { result, manifest, text } = await build({
        settings,
        redisUrl,
        processorFile,
        reporter: reporter(),
      });
      print({ ...result, manifest }, text, context);
      const isRefused = result.refusals.some(({ refusal }) => refusal !== 'skipped');
      if (isRefused || result.keptServices !== undefined) setExitCode(EXIT_REFUSALS);
    });
  program
    .command('worker')
    .description('help the build that runs with the same REDIS_URL and output folder')
    .action(async () => {
      const { outputDir, redisUrl, processorFile } = environment;
      const concurrency = concurrencyOf(environment);
      const options = { redisUrl, processorFile, reporter: reporter() };
      const { runJoinedWorker } = await import('../jobs/run-build.js');
      await runJoinedWorker({ outputDir, concurrency }, options);
    });
}
