import { spawn } from 'node:child_process';
import { plainNode } from './child-process.js';

/** Marks a process that `restartPlain` has started. */
const PLAIN = '--plain';

/** Returns whether this process runs without the hooks that tap adds to node. */
export function isPlain(): boolean {
  return process.argv.includes(PLAIN);
}

/**
 * Runs a module of this process again in node without the hooks that tap adds, and exits with the same code or signal.
 * Worker threads inherit the hooks: with them a thread takes four times as long to start. The new process writes to
 * this process's output and receives its signals.
 */
export function restartPlain(path: string): void {
  const child = spawn(...plainNode(path, PLAIN), { stdio: ['ignore', 'inherit', 'inherit'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGALRM'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
