import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { printableLine } from '../text/printable.js';
import { addCommands } from './commands.js';
import type { Environment } from './environment.js';
import { EXIT_USAGE, failureCodeOf, messageOf } from './failure.js';
import { BUILD_VARIABLES, describeVariables } from './variables.js';

/** Runs the command line and returns the exit code. Never throws: an error is one line on stderr. */
export async function runProgram(argv: readonly string[], environment: Environment): Promise<number> {
  let exitCode = 0;
  const setExitCode = (code: number): void => {
    exitCode = code;
  };
  const program = new Command('ipatlas')
    .description(
      'Builds IP geolocation, ASN, routing and ISP databases (MMDB), manages releases and serves the API.',
    )
    .version(versionOf(environment), '--version', 'print the version of ipatlas and of Node')
    .option('--json', 'print JSON for machines')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see ipatlas --help)')
    .configureOutput({
      writeOut: (text) => void environment.stdout.write(text),
      writeErr: (text) => void environment.stderr.write(text),
    })
    .exitOverride();
  const context = {
    environment,
    setExitCode,
    isJson: () => program.opts<{ json?: boolean }>().json === true,
  };
  try {
    await addCommands(program, context, argv);
    // Without a command, commander prints the help as an error.
    if (argv.every((argument) => argument === '--json')) {
      program.outputHelp();
      return 0;
    }
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its own message. Help and version are not errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    const message = messageOf(error, environment);
    environment.stderr.write(`ipatlas: ${printableLine(message)}\n`);
    return failureCodeOf(error);
  }
}

/** Returns the version of the package and of the Node that runs it. */
function versionOf({ projectDir }: Environment): string {
  const { version } = packageSchema.parse(JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')));
  return `ipatlas ${version}, Node ${process.version}`;
}

const packageSchema = z.object({ version: z.string() });

const HELP = `
Environment:
${describeVariables(BUILD_VARIABLES)}

  "ipatlas serve --help" lists the variables of the server.

Exit codes:
  0   done
  1   failed; nothing was published, the last release stays current
  3   done, but a file was refused, missing or not downloaded, or isp.mmdb
      failed a gate, or lines of a lookup have no address: see the last lines
  4   done, but a rollback holds an older release: see releases, release, unpin
  64  invalid command line or environment
  75  another build is running`;
