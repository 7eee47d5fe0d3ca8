import { statSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { DIVISIONS, type Division } from '../evaluate/evaluate.js';
import { formatCalibration } from '../evaluate/calibrate/format-calibration.js';
import { calibrateRelease } from './calibrate.js';
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

interface CalibrateFlags {
  readonly truth?: string;
  readonly operators?: string;
  readonly release?: string;
}

/** Adds `calibrate`. */
export function addCalibrateCommand(program: Command, context: CommandContext): void {
  const { outputDir, stderr } = context.environment;
  program
    .command('calibrate')
    .description(
      'fit the weights, confidences and radii of the merge to networks whose operators state their places',
    )
    .option(
      '--truth <file>',
      'more networks, CSV: prefix,country,region,city, as in RFC 8805; with --operators',
    )
    .option('--operators <file>', 'their operators, CSV: prefix,operator')
    .option('--release <id>', 'release whose inputs are used; the current one by default')
    .action(async ({ truth, operators, release: id }: CalibrateFlags) => {
      for (const file of [truth, operators]) {
        if (file !== undefined && !isFile(file)) throw new UsageError(`file not found: ${file}`);
      }
      if ((truth === undefined) !== (operators === undefined)) {
        throw new UsageError('--truth and --operators belong together: a fit counts by operator');
      }
      const release = await findRelease(outputDir, id);
      const files = truth === undefined || operators === undefined ? undefined : { truth, operators };
      const onStep = (text: string): void => void stderr.write(`${text} …\n`);
      const calibration = await calibrateRelease(release, outputDir, { files, onStep });
      if (calibration.networks === 0) {
        throw new UsageError(
          'no network with a stated place: the release has no geofeed, cloud or exchange as input',
        );
      }
      print(calibration, formatCalibration(calibration), context);
    });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function divisionsOf(asked: EvaluateFlags['by']): readonly Division[] {
  return asked.includes('every') ? DIVISIONS : asked.filter((division) => division !== 'every');
}
