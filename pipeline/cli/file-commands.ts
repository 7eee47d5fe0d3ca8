import { Option, type Command } from 'commander';
import type { Release } from '../release/release-store.js';
import { print, type CommandContext } from './context.js';
import { describeInspection } from './describe-inspection.js';
import { describeNetwork } from './describe-network.js';
import { describePrefix } from './describe-route.js';
import { describeChanges } from './describe-then.js';
import { inspectNetwork } from './inspect-network.js';
import { inspectPrefix } from './inspect-route.js';
import { requireTarget, type AddressTarget, type InspectionTarget } from './inspect-target.js';
import { changesSince, findReleaseAt } from './inspect-then.js';
import { inspectAddress } from './inspect.js';
import { findRelease } from './releases.js';
import { reservedBlockOf } from './reserved-block.js';
import { describeVerification, verifyFile } from './verify.js';

/** Adds `inspect` and `verify`. */
export function addFileCommands(program: Command, context: CommandContext): void {
  const { outputDir } = context.environment;
  program
    .command('inspect')
    .description(
      'show what a release has for an address, with the verdicts of feeds and lists; for a prefix; for an AS number',
    )
    .argument('<target>', 'an IPv4 or IPv6 address, a prefix like 1.1.1.0/24, or an AS number like AS13335')
    .option('--release <id>', 'release to inspect; the current one by default')
    .addOption(
      new Option(
        '--at <time>',
        'inspect the kept release of this day (UTC) or RFC 3339 time; for an address also show what has changed since',
      ).conflicts('release'),
    )
    .action(async (text: string, { release: id, at }: { release?: string; at?: string }) => {
      const target = requireTarget(text);
      if (at === undefined) {
        inspect(target, await findRelease(outputDir, id), context);
        return;
      }
      const release = await findReleaseAt(outputDir, at);
      if (target.kind === 'address') await inspectThen(target, release, context);
      else inspect(target, release, context);
    });
  program
    .command('verify')
    .description(
      'check every byte of an MMDB file, more strictly than readers do; exit code 1 if it is invalid',
    )
    .argument('<file>', 'path of an .mmdb file')
    .action(async (file: string) => {
      const report = await verifyFile(file);
      print(report, describeVerification(file, report), context);
      if (report.problemCount > 0) context.setExitCode(1);
    });
}

/** Prints what a release has for a target. */
function inspect(target: InspectionTarget, release: Release, context: CommandContext): void {
  if (target.kind === 'network') {
    const inspection = inspectNetwork(target, release);
    print(inspection, describeNetwork(inspection), context);
    return;
  }
  const { bundledFeedsDir } = context.environment;
  if (target.kind === 'prefix') {
    const reserved = reservedBlockOf(target.address, bundledFeedsDir, target.length);
    const inspection = { ...inspectPrefix(target, release), ...(reserved && { reserved }) };
    print(inspection, describePrefix(inspection), context);
    return;
  }
  const reserved = reservedBlockOf(target.address, bundledFeedsDir);
  const inspection = { ...inspectAddress(target, release), ...(reserved && { reserved }) };
  print(inspection, describeInspection(inspection), context);
}

/** Prints what a past release has for an address, and what has changed since. */
async function inspectThen(target: AddressTarget, release: Release, context: CommandContext): Promise<void> {
  const { outputDir, bundledFeedsDir } = context.environment;
  const reserved = reservedBlockOf(target.address, bundledFeedsDir);
  const inspection = { ...inspectAddress(target, release), ...(reserved && { reserved }) };
  const since = await changesSince(inspection, target, outputDir);
  const text = `${describeInspection(inspection)}\n\n${describeChanges(inspection, since)}`;
  print({ ...inspection, since }, text, context);
}
