import { Option, type Command } from 'commander';
import { timedReporter } from '../jobs/job-times.js';
import { chooseReporter } from '../jobs/progress.js';
import { ACCEPTABLE_GATES } from '../release/gate-names.js';
import { print, type CommandContext } from './context.js';
import { buildSettings, cacheBytesOf, concurrencyOf, storeOf, type BuildFlags } from './environment.js';
import { exitCodeOfBuild } from './exit-codes.js';
import { ACCEPT_SMALL } from './fetch-command.js';
import { withNotification } from './notify-night.js';

/** Adds `build` and `worker`. BullMQ is loaded when they run: no other command needs it. */
export function addBuildCommands(program: Command, context: CommandContext): void {
  const { environment, isJson } = context;
  const { progress: stream, isTerminal } = environment;
  const reporter = () => chooseReporter({ json: isJson(), stream, isTerminal });
  const accept = new Option('--accept <gate...>', 'publish this build even if these gates fail').choices(
    ACCEPTABLE_GATES,
  );
  program
    .command('build')
    .description(
      'read the feeds, compile the datasets and publish a release; unchanged files are not read again',
    )
    .option('--force', 'compile and publish even if no input has changed')
    .addOption(accept)
    .option(...ACCEPT_SMALL)
    .action((flags: BuildFlags) =>
      withNotification(context, async (context, night) => {
        const settings = buildSettings(environment, flags);
        const { build } = await import('./build.js');
        const { redisUrl, processor } = environment;
        const timed = timedReporter(reporter());
        night.jobs = timed.seconds;
        night.report = await build({ settings, redisUrl, processor, reporter: timed.reporter });
        const { result, manifest, text } = night.report;
        print({ ...result, manifest }, text, context);
        context.setExitCode(exitCodeOfBuild(result));
      }),
    );
  program
    .command('worker')
    .description(
      'run jobs of a build that was started elsewhere: with the same REDIS_URL and STORE, or with the same OUTPUT',
    )
    .action(async () => {
      const { outputDir, redisUrl, processor } = environment;
      const store = storeOf(environment);
      const limits = { concurrency: concurrencyOf(environment), cacheBytes: cacheBytesOf(environment) };
      const where = { outputDir, ...limits, ...(store && { store }) };
      const options = { redisUrl, processor, reporter: reporter() };
      const { runJoinedWorker } = await import('../jobs/run-build.js');
      await runJoinedWorker(where, options);
    });
}
