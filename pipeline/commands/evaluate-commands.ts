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

/** `evaluate`. */
export function addEvaluateCommand(program: Command, context: CommandContext): void {
  const { outputDir } = context.environment;
  const by = new Option('--by <division...>', 'what to print apart')
    .choices([...DIVISIONS, 'every'])
    .default(['all']);
  program
    .command('evaluate')
    .description('how right each feed and the merge are, measured by networks whose place is known')
    .requiredOption('--truth <file>', 'CSV: prefix,country,region,city, as in RFC 8805')
    .option('--operators <file>', 'CSV: prefix,operator, to average over operators')
    .option('--release <id>', 'another release than the current one')
    .addOption(by)
    .action(async ({ truth, operators, release: id, by: asked }: EvaluateFlags) => {
      for (const file of [truth, operators]) {
        if (file !== undefined && !isFile(file)) throw new UsageError(`there is no file ${file}`);
      }
      const release = await findRelease(outputDir, id);
      const files = { truth, ...(operators !== undefined && { operators }) };
      const evaluation = await evaluateRelease(release, outputDir, files);
      if (evaluation.places === 0) {
        const reasons = evaluation.truth.setAside.length;
        throw new UsageError(
          `${truth} holds no network whose place is known; rows that do not count: ${reasons}`,
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
