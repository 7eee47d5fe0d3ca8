import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeInput } from './make-input.js';
import { costOf, maxRssMb, runInputs, type FuzzLimits, type InputCost, type Suspect } from './run-inputs.js';
import type { OpenTarget } from './target.js';

/** The work of a child process. */
export interface ChildTask {
  /** The URL of the module of the target. */
  readonly module: string;
  readonly target: string;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly limits: FuzzLimits;
  /** The file for the number of the current input. */
  readonly progressFile: string;
  /** Only writes the input `from` into this folder. */
  readonly saveInto?: string;
  /** Runs only the input `from`, three times, and answers with its least cost. */
  readonly measure?: boolean;
}

/** The messages of a child. */
export type ChildMessage =
  | { readonly kind: 'open' }
  | { readonly kind: 'suspect'; readonly suspect: Suspect }
  | { readonly kind: 'saved'; readonly path: string }
  | { readonly kind: 'measured'; readonly cost: InputCost }
  | { readonly kind: 'end'; readonly next: number; readonly peakMb: number };

const send = (message: ChildMessage): void => void process.send!(message);

async function work(task: ChildTask): Promise<void> {
  const { openTarget } = (await import(task.module)) as { readonly openTarget: OpenTarget };
  const ends: (() => unknown)[] = [];
  const target = await openTarget({ teardown: (end) => ends.push(end) });
  const input = makeInput(target, { ...task, input: task.from });
  if (task.saveInto !== undefined) {
    mkdirSync(task.saveInto, { recursive: true });
    const path = join(task.saveInto, `${task.target.replaceAll('/', '-')}-${task.seed}-${task.from}.bin`);
    writeFileSync(path, input.bytes);
    send({ kind: 'saved', path });
  } else if (task.measure === true) {
    const costs: InputCost[] = [];
    for (let run = 0; run < 3; run++) costs.push(await costOf(target, input));
    const { crash } = costs[0]!;
    const ms = Math.min(...costs.map((cost) => cost.ms));
    const grownMb = Math.max(...costs.map((cost) => cost.grownMb));
    send({ kind: 'measured', cost: { ms, grownMb, ...(crash !== undefined && { crash }) } });
  } else {
    const progressFd = openSync(task.progressFile, 'w');
    send({ kind: 'open' });
    const next = await runInputs(target, { ...task, progressFd }, task.limits, (suspect) => {
      send({ kind: 'suspect', suspect });
    });
    send({ kind: 'end', next, peakMb: maxRssMb() });
  }
  for (const end of ends.reverse()) await end();
  process.disconnect();
}

process.once('message', (task) => void work(task as ChildTask));
