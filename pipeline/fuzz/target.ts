import type { Mutator } from './mutate.js';

/** A file to damage, or a damaged one. */
export interface FuzzInput {
  /** The seed's name, which a target may need to know how to read it. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Code that reads bytes of others, and files to damage. */
export interface FuzzTarget {
  readonly seeds: readonly FuzzInput[];
  /** Mutators for the format, used as often as those for bytes. */
  readonly mutators?: readonly Mutator[];
  /** Reads an input. Throws, or rejects, for every error that the code does not declare. */
  readonly run: (input: FuzzInput) => Promise<void> | void;
}

/** The time for which a target is open. */
export interface TargetLifetime {
  /** Registers a cleanup for the end of the process. */
  teardown(end: () => unknown): void;
}

/** Opens a target. Every `*.fuzz.ts` exports one as `openTarget`. */
export type OpenTarget = (t: TargetLifetime) => Promise<FuzzTarget> | FuzzTarget;

/** Ignores errors of the declared classes, and throws all others. */
export function unlessDeclared(error: unknown, declared: readonly ErrorClass[]): void {
  if (!declared.some((one) => error instanceof one)) throw error;
}

type ErrorClass = abstract new (...args: never[]) => Error;
