import { statSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { DIVISIONS, type Division } from '../evaluate/evaluate.js';
import { print, type CommandContext } from './context.js';
import { describeEvaluation, evaluateRelease } from './evaluate.js';
import { findRelease } from './releases.js';
import { UsageError } from './usage-error.js';

interface EvaluateFlags {
  readonly truth: string;
  readonly operators?: string;
  readonly release?: string;
  readonly by: readonly (Division | 'every')[];
}

/** Adds `evaluate`. */
export function addEvaluateCommand(program: Command, context: CommandContext): void {
  const { outputDir } = context.environment;
  const by = new Option('--by <division...>', 'breakdowns to print')
    .choices([...DIVISIONS, 'every'])
    .default(['all']);
  program
    .command('evaluate')
    .description('measure the accuracy of each feed and of the merge against networks with a known location')
    .requiredOption('--truth <file>', 'CSV: prefix,country,region,city, as in RFC 8805')
    .option('--operators <file>', 'CSV: prefix,operator; adds the mean over operators')
    .option('--release <id>', 'release to measure; the current one by default')
    .addOption(by)
    .action(async ({ truth, operators, release: id, by: asked }: EvaluateFlags) => {
      for (const file of [truth, operators]) {
        if (file !== undefined && !isFile(file)) throw new UsageError(`file not found: ${file}`);
      }
      const release = await findRelease(outputDir, id);
      const files = { truth, ...(operators !== undefined && { operators }) };
      const evaluation = await evaluateRelease(release, outputDir, files);
      if (evaluation.places === 0) {
        const { setAside } = evaluation.truth;
        const { geofeed, override } = evaluation.excluded;
        throw new UsageError(
          `no usable network in ${truth}: ${setAside.length} rows not used, ` +
            `${geofeed + override} in the build's own geofeeds or overrides`,
        );
      }
      print(evaluation, describeEvaluation(evaluation, divisionsOf(asked)), context);
    });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function divisionsOf(asked: EvaluateFlags['by']): readonly Division[] {
  return asked.includes('every') ? DIVISIONS : asked.filter((division) => division !== 'every');
}
