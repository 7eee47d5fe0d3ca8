import { printableJson } from '../text/printable.js';
import type { Environment } from './environment.js';

/** The context that every command receives. */
export interface CommandContext {
  readonly environment: Environment;
  /** Sets the exit code of a command that does not throw. */
  readonly setExitCode: (code: number) => void;
  /** Whether `--json` was given, before or after the command. */
  readonly isJson: () => boolean;
}

/** Prints a value as JSON with `--json`, otherwise its text. */
export function print(value: unknown, text: string, { environment, isJson }: CommandContext): void {
  environment.stdout.write(`${isJson() ? printableJson(JSON.stringify(value, null, 2)) : text}\n`);
}
