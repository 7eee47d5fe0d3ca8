import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

/** A process that a test has started. */
export interface TestChild {
  readonly child: ChildProcess;
  /** Resolves when its output holds the text; rejects when it ends first. */
  saw(text: string): Promise<void>;
  /** Its exit code or signal and all that it wrote. */
  readonly ended: Promise<{ code: number | NodeJS.Signals; output: string }>;
}

/** Runs a compiled module of this folder as a process of its own, killed at the latest when the test ends. */
export function startModule(
  t: Test,
  [module, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
): TestChild {
  const path = new URL(module, import.meta.url).pathname;
  const child = spawn(...plainNode(path, ...args), { env: { ...process.env, ...env } });
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

/**
 * Command and arguments that run node without what tap adds to NODE_OPTIONS of every process that a test starts: its
 * hooks treble what it takes to load the pipeline, in the process and in each of its threads. The process is node's own.
 */
export function plainNode(...args: readonly string[]): [command: string, args: string[]] {
  return ['/usr/bin/env', ['-u', 'NODE_OPTIONS', process.execPath, ...args]];
}

/** A folder whose path is short enough for a Unix socket, which tap's own are not. */
export function shortDir(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-test-'));
  t.teardown(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Waits until a process is gone. */
export async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}
