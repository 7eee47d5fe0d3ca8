import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SupervisedChild } from './supervised-child.js';
import type { FuzzRun } from './fuzz-run.js';
import type { InputCost, Suspect } from './run-inputs.js';

/** An input that failed, confirmed by running it alone. */
export interface Failure extends Suspect {
  /** The file with the input. */
  readonly path: string;
}

/** The result of a run. */
export interface FuzzResult {
  readonly target: string;
  readonly inputs: number;
  readonly seconds: number;
  readonly peakMb: number;
  readonly failures: readonly Failure[];
}

/** The number of failures that ends a run. */
const ENOUGH_FAILURES = 20;

/** Runs the inputs of a target in child processes, and starts another one after the input that ended a process. */
export async function superviseRun(run: FuzzRun): Promise<FuzzResult> {
  const began = performance.now();
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-fuzz-'));
  const failures: Failure[] = [];
  let next = 0;
  let peakMb = 0;
  try {
    while (next < run.inputs && failures.length < ENOUGH_FAILURES) {
      const part = await runPart(run, next, join(dir, 'progress'));
      peakMb = Math.max(peakMb, part.peakMb);
      for (const suspect of part.suspects.slice(0, ENOUGH_FAILURES)) {
        if (await isConfirmed(run, suspect))
          failures.push({ ...suspect, path: await save(run, suspect.input) });
      }
      next = part.next;
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  const seconds = (performance.now() - began) / 1000;
  return { target: run.target, inputs: next, seconds, peakMb, failures };
}

/** Runs one input alone. Undefined when the process died or did not end. */
export async function measureInput(run: FuzzRun, input: number): Promise<InputCost | undefined> {
  const child = new SupervisedChild(run, { from: input, measure: true });
  child.killAfter(OPENING_MS);
  const message = (await child.ended).find(({ kind }) => kind === 'measured');
  return message?.kind === 'measured' ? message.cost : undefined;
}

/** The time to load and open a target, on a busy machine. */
const OPENING_MS = 180_000;

interface Part {
  readonly next: number;
  readonly peakMb: number;
  readonly suspects: readonly Suspect[];
}

async function runPart(run: FuzzRun, from: number, progressFile: string): Promise<Part> {
  rmSync(progressFile, { force: true });
  const child = new SupervisedChild(run, { from, to: run.inputs, progressFile });
  const stuckAt = await watch(child, progressFile, run.limits.stuckMs);
  const messages = await child.ended;
  const suspects = messages.flatMap((message) => (message.kind === 'suspect' ? [message.suspect] : []));
  const end = messages.find(({ kind }) => kind === 'end');
  if (end?.kind === 'end') return { ...end, suspects };
  const died = stuckAt ?? currentInput(progressFile);
  if (died === undefined)
    throw new Error(`${run.target}: the process ended before its first input: ${child.end}`);
  const found =
    stuckAt === undefined ? `the process ended: ${child.end}` : `killed after ${run.limits.stuckMs} ms`;
  const kind = stuckAt !== undefined ? 'hang' : child.ranOutOfMemory ? 'memory' : 'crash';
  return {
    next: died + 1,
    peakMb: 0,
    suspects: [...suspects, { kind, input: died, found, isCertain: true }],
  };
}

/** Kills a child whose input does not end, and returns the number of the input. */
async function watch(
  child: SupervisedChild,
  progressFile: string,
  stuckMs: number,
): Promise<number | undefined> {
  let current: number | undefined;
  let since = performance.now();
  let cpuBefore = 0;
  while (!(await child.endsWithin(POLL_MS))) {
    const now = currentInput(progressFile);
    if (now !== current) {
      current = now;
      since = performance.now();
      cpuBefore = child.cpuMs();
    } else {
      const ms = performance.now() - since;
      // On a busy machine an input may wait for the processor: one that did not use it gets more time.
      const isBusy = child.cpuMs() - cpuBefore < stuckMs / 4 && ms < PATIENCE * stuckMs;
      if (ms < (current === undefined ? OPENING_MS : stuckMs) || (current !== undefined && isBusy)) continue;
      child.kill();
      return current;
    }
  }
  return undefined;
}

const POLL_MS = 100;
const PATIENCE = 6;

function currentInput(progressFile: string): number | undefined {
  if (!existsSync(progressFile)) return undefined;
  const bytes = readFileSync(progressFile);
  return bytes.length === 8 ? bytes.readDoubleBE() : undefined;
}

/** Time and memory also depend on other processes and on earlier inputs, so such an input is measured alone. */
async function isConfirmed(run: FuzzRun, { kind, input, isCertain }: Suspect): Promise<boolean> {
  if (isCertain) return true;
  const cost = await measureInput(run, input);
  if (cost === undefined) return true;
  return kind === 'hang' ? cost.ms > run.limits.slowMs : cost.grownMb > run.limits.grownMb;
}

async function save(run: FuzzRun, input: number): Promise<string> {
  const child = new SupervisedChild(run, { from: input, saveInto: run.outputDir });
  child.killAfter(OPENING_MS);
  const message = (await child.ended).find(({ kind }) => kind === 'saved');
  return message?.kind === 'saved' ? message.path : 'not saved';
}
