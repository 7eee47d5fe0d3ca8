import type { Environment } from './environment.js';

/** What every command is given. */
export interface CommandContext {
  readonly environment: Environment;
  /** For commands that end well but not with 0. */
  readonly setExitCode: (code: number) => void;
  /** Whether `--json` stands before the command or behind it. */
  readonly isJson: () => boolean;
}

/** Prints a value as JSON, or as the text it stands for. */
export function print(value: unknown, text: string, { isJson }: CommandContext): void {
  process.stdout.write(`${isJson() ? JSON.stringify(value, null, 2) : text}\n`);
}
