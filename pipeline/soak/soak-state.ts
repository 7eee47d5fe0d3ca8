import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const stateSchema = z.strictObject({
  seed: z.int(),
  /** Number of finished nights. */
  nights: z.int().nonnegative(),
  /** Number of inflicted faults by name. */
  faults: z.record(z.string(), z.int().positive()),
  /** Number of runs of builds by how they ended: an exit code or a signal. */
  ends: z.record(z.string(), z.int().positive()),
  /** Violated guarantees, one line each. */
  problems: z.array(z.string()),
});

/** What a soak has done so far. */
export type SoakState = z.infer<typeof stateSchema>;

/** Returns the state of the run in a folder, or that of a new run. Throws if the run has another seed. */
export function readState(dir: string, seed: number): SoakState {
  const text = readIfExists(stateFile(dir));
  if (text === undefined) return { seed, nights: 0, faults: {}, ends: {}, problems: [] };
  const state = stateSchema.parse(JSON.parse(text));
  if (state.seed === seed) return state;
  throw new Error(`${dir} holds a run with --seed ${state.seed}: continue it, or add --restart`);
}

/** Writes the state completely or not at all. */
export function writeState(dir: string, state: SoakState): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${stateFile(dir)}.new`, `${JSON.stringify(state, undefined, 2)}\n`);
  renameSync(`${stateFile(dir)}.new`, stateFile(dir));
}

/** Adds one to a counter. */
export function countOne(counters: Record<string, number>, name: string): void {
  counters[name] = (counters[name] ?? 0) + 1;
}

/** Returns the number of processes that were killed. */
export function killsOf({ faults }: SoakState): number {
  return Object.entries(faults).reduce(
    (sum, [name, times]) => sum + (name.startsWith('kill ') ? times : 0),
    0,
  );
}

const stateFile = (dir: string): string => join(dir, 'state.json');

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
