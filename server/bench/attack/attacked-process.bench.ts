import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { familyOf, isIn } from './process-figures.bench.js';

/** The compiled project that is attacked: this one, or another version of it. */
export const ATTACKED_DIST =
  process.env['ATTACKED_DIST'] ?? fileURLToPath(new URL('../../..', import.meta.url));

/** Options of an attacked server. */
export interface ServerOptions {
  readonly workers?: number;
  /** Limit of the old generation of each process, in MiB. */
  readonly heapMib?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Made-up cities in the file of `GET /api/datasets/mmdb`. */
  readonly downloadBallast?: number;
  /** Keeps the log in a pipe, which is read after `readLog` is called. By default the log is a file. */
  readonly pipesLog?: boolean;
}

/** Returns the processes of a server with its private Redis. */
export function processesOf(child: ChildProcess): number[] {
  return child.pid === undefined ? [] : familyOf(child.pid);
}

/** Ends a server and its other processes at once, and removes its folder. */
export async function endServer(
  child: ChildProcess,
  { outputDir, others }: { readonly outputDir: string; readonly others: readonly number[] },
): Promise<void> {
  child.stdout?.resume();
  const pids = new Set([...others, ...processesOf(child)]);
  child.kill('SIGKILL');
  while ([...pids].some((pid) => isIn(pid, outputDir))) {
    for (const pid of pids) if (isIn(pid, outputDir)) process.kill(pid, 'SIGKILL');
    await sleep(20);
  }
  rmSync(outputDir, { recursive: true, force: true });
}

/** The command line of the attacked project. */
export const MAIN = join(ATTACKED_DIST, 'pipeline/main.js');
const WATCH = new URL('./heap-watch.bench.js', import.meta.url).href;

/** Returns the environment of a server or a command. */
export function environmentOf(outputDir: string, { env, heapMib }: ServerOptions): NodeJS.ProcessEnv {
  const options = [
    `--import=${WATCH}`,
    ...(heapMib === undefined ? [] : [`--max-old-space-size=${heapMib}`]),
  ];
  return {
    ...process.env,
    ...{ NODE_OPTIONS: options.join(' '), HEAP_WATCH_DIR: join(outputDir, 'heaps') },
    ...{ OUTPUT: outputDir, OUTPUT_DIR: '', REDIS_URL: '', DNS_SERVERS: '127.0.0.1:9' },
    ...{ HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0', WORKERS: '1', TRUSTED_PROXIES: '' },
    ...env,
  };
}

/** Finds both URLs in that line. */
export const LISTENING = /listening on ([^\s,]+), .* metrics at ([^\s,"]+)/;

/** Waits for the line that a server prints when it listens. */
export async function startLine(child: ChildProcess, outputDir: string): Promise<string> {
  let piped = '';
  const take = (chunk: Buffer): void => void (piped += chunk.toString());
  child.stdout?.on('data', take);
  for (let i = 0; i < 2400 && child.exitCode === null; i++) {
    const text = piped + readFileSync(join(outputDir, 'log'), 'utf8');
    const line = text.split('\n').find((line) => line.includes('/metrics'));
    if (line !== undefined) {
      child.stdout?.off('data', take).pause();
      return line;
    }
    await sleep(50);
  }
  throw new Error(`the server did not start: ${readFileSync(join(outputDir, 'log'), 'utf8')}`);
}
