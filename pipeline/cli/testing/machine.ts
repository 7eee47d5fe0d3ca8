import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { environmentOf, type Settings } from '../../testing/command-line.js';
import { plainNode } from '../../testing/child-process.js';

/** A running command of a machine. */
export interface MachineProcess {
  readonly child: ChildProcess;
  /** The output of both streams so far. */
  readonly output: () => string;
  /** Resolves when the output contains the text; rejects if the process ends without it. */
  readonly saw: (text: string) => Promise<void>;
  /** Resolves with the exit code or the signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly kill: () => Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));

/** Starts `ipatlas <args>`, after a prefix such as that of a namespace. It is killed when the test ends. */
export function startOn(
  t: Test,
  prefix: readonly string[],
  settings: Settings,
  ...args: readonly string[]
): MachineProcess {
  const [node, nodeArgs] = plainNode(MAIN, ...args);
  const [command = node, ...commandArgs] = [...prefix, node, ...nodeArgs];
  const child = spawn(command, commandArgs, {
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      child.emit('output');
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const saw = async (text: string): Promise<void> => {
    while (!output.includes(text)) {
      const next = await Promise.race([ended, once(child, 'output')]);
      if (!Array.isArray(next) && !output.includes(text)) throw new Error(`no "${text}" in:\n${output}`);
    }
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  t.teardown(() => child.kill('SIGKILL'));
  return { child, output: () => output, saw, ended, kill };
}
