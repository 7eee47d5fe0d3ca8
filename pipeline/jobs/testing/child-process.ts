import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import { plainNode } from '../../testing/child-process.js';

/** A process started by a test. */
export interface TestChild {
  readonly child: ChildProcess;
  /** Resolves when its output holds the text; rejects when it ends first. */
  saw(text: string): Promise<void>;
  /** The exit code or signal, and the whole output. */
  readonly ended: Promise<{ code: number | NodeJS.Signals; output: string }>;
}

/** Runs a compiled module of this folder in its own process, which is killed when the test ends. */
export function startModule(
  t: Test,
  [module, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
  nodeArgs: readonly string[] = [],
): TestChild {
  const path = new URL(module, import.meta.url).pathname;
  const child = spawn(...plainNode(...nodeArgs, path, ...args), { env: { ...process.env, ...env } });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
    child.emit('output');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = once(child, 'close').then(([code, signal]) => {
    return { code: (code ?? signal) as number | NodeJS.Signals, output };
  });
  t.teardown(() => child.kill('SIGKILL'));
  const saw = async (text: string): Promise<void> => {
    while (!output.includes(text)) {
      const next = await Promise.race([ended, once(child, 'output')]);
      if (!Array.isArray(next) && !output.includes(text)) throw new Error(`no "${text}" in:\n${output}`);
    }
  };
  return { child, saw, ended };
}
