import { Command, CommanderError } from 'commander';
import { BuildRunningError } from '../jobs/build-lock.js';
import { InterruptedError } from '../jobs/interruption.js';
import { addBuildCommands } from './build-commands.js';
import { addDoctorCommand } from './doctor-command.js';
import type { Environment } from './environment.js';
import { addConformanceCommand } from './conformance-command.js';
import { addEvaluateCommand } from './evaluate-commands.js';
import { addFetchCommand } from './fetch-command.js';
import { UsageError } from './usage-error.js';
import { addFileCommands } from './file-commands.js';
import { addKeyCommands } from './key-command.js';
import { addNodeCommands } from './node-command.js';
import { addProbeAgentCommand } from './probe-agent-command.js';
import { addReleaseCommands } from './release-commands.js';
import { addReportCommand } from './report-command.js';
import { addServeCommand } from './serve-command.js';

/** Exit codes besides 0 and 1; EX_USAGE and EX_TEMPFAIL of sysexits.h where they fit. */
export const EXIT_USAGE = 64;
export const EXIT_RUNNING = 75;

/** Runs the command line; the exit code. Never throws: what goes wrong is one line on stderr. */
export async function runProgram(argv: readonly string[], environment: Environment): Promise<number> {
  let exitCode = 0;
  const setExitCode = (code: number): void => {
    exitCode = code;
  };
  const program = new Command('ipatlas')
    .description(
      'Builds geolocation databases (MMDB) out of publishers’ files, looks after the releases, and serves them.',
    )
    .option('--json', 'print JSON for machines')
    .addHelpText('after', HELP)
    .showHelpAfterError('(ipatlas --help tells what there is)')
    .exitOverride();
  const context = {
    environment,
    setExitCode,
    isJson: () => program.opts<{ json?: boolean }>().json === true,
  };
  addBuildCommands(program, context);
  addFetchCommand(program, context);
  addFileCommands(program, context);
  addKeyCommands(program, context);
  addReleaseCommands(program, context);
  addReportCommand(program, context);
  addEvaluateCommand(program, context);
  addServeCommand(program, context);
  addConformanceCommand(program, context);
  addNodeCommands(program, context);
  addProbeAgentCommand(program, context);
  addDoctorCommand(program, context);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its own message; help and version are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    process.stderr.write(`ipatlas: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT_USAGE;
  if (error instanceof BuildRunningError) return EXIT_RUNNING;
  return error instanceof InterruptedError ? error.exitCode : 1;
}

const HELP = `
Environment:
  FEEDS              folder with the publishers' files, as <feed id>/<file name>; the bundled fixtures by default;
                     live: download from the publishers first
  BUILD_FEEDS        ids of the feeds, routing sources and lists to build from, with commas between; all by default
  BUILD_JOBS         how many jobs run at the same time, each in a thread of its own; one per processor by default
  DATASET_FEEDS      ids of those that go into download/, with commas between; feeds, when none is named, and routing
                     sources and lists besides those named: all whose licences ask for no more than attribution.
                     -<id> stays out
  OUTPUT, OUTPUT_DIR where releases and caches go; output/ in the project by default
  REDIS_URL          a Redis to run the jobs through, and for accounts and limits of the server; private ones by default
  SOURCE_DATE_EPOCH  seconds since 1970 that stand for the time of the build: equal inputs then give equal bytes
  RIB_COLLECTORS     route collectors for FEEDS=live, such as rrc00,route-views.sg; four by default
  RELAYS_ARE_PROXIES no: consumer relays (CPN) and enterprise gateways (EPN) keep their type but are no proxies; yes
                     by default
  IPATLAS_MIRROR     https://mirror to download https://<host>/<path> from https://mirror/<host>/<path>
  MAXMIND_ACCOUNT_ID, MAXMIND_LICENSE_KEY and others: keys of publishers; a file whose key is not set is skipped

  "ipatlas serve --help" tells the variables of the server.

Exit codes:
  0   done
  1   failed; nothing was published, the last release still serves
  3   done, but a file was refused, missing or not to be had: its last good copy (or nothing) was used instead
  64  the command line or the environment makes no sense
  75  another build is running`;
