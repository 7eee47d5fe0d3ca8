import { readFileSync, writeSync } from 'node:fs';
import { makeInput, type InputNumber } from './make-input.js';
import type { FuzzInput, FuzzTarget } from './target.js';

/** What one input cost. */
export interface InputCost {
  readonly ms: number;
  /** The growth of the largest resident set of the process, in MB. */
  readonly grownMb: number;
  /** The stack of an error that the target does not declare. */
  readonly crash?: string;
}

/** Limits above which an input is reported. */
export interface FuzzLimits {
  /** Time for one input, in ms. */
  readonly slowMs: number;
  /** Growth of memory by one input, in MB. */
  readonly grownMb: number;
  /** Growth of memory by all inputs of a process, in MB. */
  readonly totalMb: number;
}

/** An input that exceeded a limit. The process that found it has ended or continues after it. */
export interface Suspect {
  readonly kind: 'crash' | 'hang' | 'memory';
  readonly input: number;
  readonly found: string;
  /** Whether other processes and earlier inputs have no part in it. Otherwise the input is measured alone. */
  readonly isCertain: boolean;
}

/** A part of a run: the inputs from `from` up to (not including) `to`. */
export interface InputRange extends Omit<InputNumber, 'input'> {
  readonly from: number;
  readonly to: number;
  /** The file to which the number of each input is written before it runs. */
  readonly progressFd: number;
}

/**
 * Runs inputs in order. Calls `report` for suspects. Stops after a suspect of kind `memory`, because the growth by
 * later inputs could not be measured in this process. Returns the number of the next input.
 */
export async function runInputs(
  target: FuzzTarget,
  { from, to, progressFd, ...names }: InputRange,
  limits: FuzzLimits,
  report: (suspect: Suspect) => void,
): Promise<number> {
  const progress = Buffer.alloc(8);
  let startMb: number | undefined;
  for (let input = from; input < to; input++) {
    progress.writeDoubleBE(input);
    writeSync(progressFd, progress, 0, 8, 0);
    const cost = await costOf(target, makeInput(target, { ...names, input }));
    startMb ??= maxRssMb();
    if (cost.crash !== undefined) report({ kind: 'crash', input, found: cost.crash, isCertain: true });
    if (cost.ms > limits.slowMs) {
      report({ kind: 'hang', input, found: `${Math.round(cost.ms)} ms`, isCertain: false });
    }
    const totalMb = maxRssMb() - startMb;
    if (cost.grownMb <= limits.grownMb && totalMb <= limits.totalMb) continue;
    const found = `${Math.round(cost.grownMb)} MB by this input, ${Math.round(totalMb)} MB by all`;
    // The growth by all inputs is that of this process, and cannot be measured by one input.
    report({ kind: 'memory', input, found, isCertain: totalMb > limits.totalMb });
    return input + 1;
  }
  return to;
}

/** Runs an input and measures it. */
export async function costOf(target: FuzzTarget, input: FuzzInput): Promise<InputCost> {
  const beforeMb = maxRssMb();
  const began = performance.now();
  let crash: string | undefined;
  try {
    const running = target.run(input);
    if (running) await running;
  } catch (error) {
    crash = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const ms = performance.now() - began;
  return { ms, grownMb: maxRssMb() - beforeMb, ...(crash !== undefined && { crash }) };
}

/** Returns the largest resident set of this process so far, in MB. */
export function maxRssMb(): number {
  return (peakOfLinux() ?? process.resourceUsage().maxRSS) / 1024;
}

/** Returns VmHWM in kB. On Linux `maxRSS` begins with the size of the parent process, which hides growth up to it. */
function peakOfLinux(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))![1]);
}
