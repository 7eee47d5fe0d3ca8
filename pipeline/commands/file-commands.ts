import type { Command } from 'commander';
import { print, type CommandContext } from './context.js';
import { describeInspection } from './describe-inspection.js';
import { inspectAddress, requireAddress } from './inspect.js';
import { findRelease } from './releases.js';
import { describeVerification, verifyFile } from './verify.js';

/** `inspect` and `verify`. */
export function addFileCommands(program: Command, context: CommandContext): void {
  const { outputDir } = context.environment;
  program
    .command('inspect')
    .description('what a release, and each feed it was made from, says about an address')
    .argument('<ip>', 'an IPv4 or IPv6 address')
    .option('--release <id>', 'another release than the current one')
    .action(async (ip: string, { release: id }: { release?: string }) => {
      const address = requireAddress(ip);
      const release = await findRelease(outputDir, id);
      const inspection = inspectAddress(address, release);
      print(inspection, describeInspection(inspection), context);
    });
  program
    .command('verify')
    .description('check every byte of an MMDB file, more strictly than readers do')
    .argument('<file>', 'path of an .mmdb file')
    .action(async (file: string) => {
      const report = await verifyFile(file);
      print(report, describeVerification(file, report), context);
      if (report.problemCount > 0) context.setExitCode(1);
    });
}
