import { join } from 'node:path';
import type { Command } from 'commander';
import { ConfigError, parseConfig } from '../../server/parse-config.js';
import { print, type CommandContext } from './context.js';
import { UsageError } from './usage-error.js';

/** `doctor`. What it runs on is loaded when it runs. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description(
      'try from here whoever the server asks: DNS servers, resolvers over HTTPS, RDAP and whois; with the environment of "serve"',
    )
    .action(async () => {
      const { examine } = await import('../../server/doctor/examine.js');
      const { describeFindings } = await import('../../server/doctor/describe-findings.js');
      const findings = await examine(configOf(context), {
        onFinding: ({ group, name, state }, left) => {
          if (!context.isJson()) process.stderr.write(`ipatlas: ${state} ${group}, ${name}; ${left} to go\n`);
        },
      });
      const isWell = findings.every(({ state }) => state === 'ok');
      print({ ok: isWell, findings }, describeFindings(findings), context);
      context.setExitCode(isWell ? 0 : 1);
    });
}

/** As `serve` has it, without a Redis. Throws UsageError. */
function configOf({ environment }: CommandContext) {
  const { outputDir, bundledFeedsDir, readVariable } = environment;
  try {
    return {
      ...parseConfig(readVariable, outputDir),
      registryDir: join(bundledFeedsDir, 'iana'),
      rdapDirs: [join(outputDir, 'downloads', 'rdap'), join(bundledFeedsDir, 'rdap')],
    };
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}
