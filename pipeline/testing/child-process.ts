import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lifetime } from './lifetime.js';

/**
 * Returns the command and arguments that run node without the hooks that tap adds to NODE_OPTIONS of every child
 * process. The hooks triple the time to load the pipeline, in the process and in each of its threads. `env` replaces
 * itself with node, so the process id is node's own.
 */
export function plainNode(...args: readonly string[]): [command: string, args: string[]] {
  return ['/usr/bin/env', ['-u', 'NODE_OPTIONS', process.execPath, ...args]];
}

/** Creates a folder with a path short enough for a Unix socket; tap's own folders are too deep. */
export function shortDir(t: Lifetime): string {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-test-'));
  t.teardown(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}

/** Returns whether a process exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Waits until a process has ended. */
export async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}
