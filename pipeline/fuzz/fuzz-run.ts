import type { FuzzLimits } from './run-inputs.js';

/** A target and the inputs to run. */
export interface FuzzRun {
  readonly target: string;
  /** The URL of the compiled `*.fuzz.js`. */
  readonly module: string;
  readonly seed: number;
  readonly inputs: number;
  readonly limits: FuzzLimits & {
    /** Time after which an input that does not end is killed, in ms. */
    readonly stuckMs: number;
    /** The size of the heap in MB; a process that needs more ends. */
    readonly heapMb: number;
  };
  /** The folder for inputs that failed. */
  readonly outputDir: string;
}
