import type { Command } from 'commander';
import { print, type CommandContext } from './context.js';
import { describeInspection } from './describe-inspection.js';
import { describeNetwork } from './describe-network.js';
import { describePrefix } from './describe-route.js';
import { inspectNetwork } from './inspect-network.js';
import { inspectPrefix } from './inspect-route.js';
import { requireTarget } from './inspect-target.js';
import { inspectAddress } from './inspect.js';
import { findRelease } from './releases.js';
import { reservedBlockOf } from './reserved-block.js';
import { describeVerification, verifyFile } from './verify.js';

/** Adds `inspect` and `verify`. */
export function addFileCommands(program: Command, context: CommandContext): void {
  const { outputDir, bundledFeedsDir } = context.environment;
  program
    .command('inspect')
    .description(
      'show what a release has for an address, with the verdicts of feeds and lists; for a prefix; for an AS number',
    )
    .argument('<target>', 'an IPv4 or IPv6 address, a prefix like 1.1.1.0/24, or an AS number like AS13335')
    .option('--release <id>', 'release to inspect; the current one by default')
    .action(async (text: string, { release: id }: { release?: string }) => {
      const target = requireTarget(text);
      const release = await findRelease(outputDir, id);
      switch (target.kind) {
        case 'address': {
          const reserved = reservedBlockOf(target.address, bundledFeedsDir);
          const inspection = { ...inspectAddress(target, release), ...(reserved && { reserved }) };
          print(inspection, describeInspection(inspection), context);
          break;
        }
        case 'prefix': {
          const reserved = reservedBlockOf(target.address, bundledFeedsDir, target.length);
          const inspection = { ...inspectPrefix(target, release), ...(reserved && { reserved }) };
          print(inspection, describePrefix(inspection), context);
          break;
        }
        case 'network': {
          const inspection = inspectNetwork(target, release);
          print(inspection, describeNetwork(inspection), context);
        }
      }
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
