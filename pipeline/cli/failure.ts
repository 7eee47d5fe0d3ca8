import { BuildRunningError } from '../jobs/build-lock.js';
import { InterruptedError } from '../jobs/interruption.js';
import { describeSystemError } from '../release/system-error.js';
import type { Environment } from './environment.js';
import { UsageError } from './usage-error.js';

/** Exit code for an invalid command line or environment: EX_USAGE of sysexits.h. */
export const EXIT_USAGE = 64;
/** Exit code when another build is running: EX_TEMPFAIL of sysexits.h. */
export const EXIT_RUNNING = 75;

/** Returns the message of an error that ends a command. */
export function messageOf(error: unknown, { outputDir }: Pick<Environment, 'outputDir'>): string {
  return describeSystemError(error, outputDir) ?? (error instanceof Error ? error.message : String(error));
}

/** Returns the exit code for an error that ends a command. */
export function failureCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT_USAGE;
  if (error instanceof BuildRunningError) return EXIT_RUNNING;
  return error instanceof InterruptedError ? error.exitCode : 1;
}
