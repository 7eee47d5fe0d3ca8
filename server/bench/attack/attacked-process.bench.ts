import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openAccountsRedis } from '../../../pipeline/jobs/accounts-redis.js';
import { familyOf, isNode } from './process-figures.bench.js';

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

/** Ends a server at once, and the private Redis that it used. Removes its folder. */
export async function endServer(child: ChildProcess, outputDir: string): Promise<void> {
  child.stdout?.resume();
  const pids = familyOf(child.pid!).filter(isNode);
  child.kill('SIGTERM');
  for (let i = 0; i < 5 && child.exitCode === null && child.signalCode === null; i++) await sleep(100);
  for (const pid of pids.filter(isNode)) process.kill(pid, 'SIGKILL');
  // Their locks on the private Redis end with them.
  while (pids.some(isNode)) await sleep(20);
  // The last user of the private Redis stops it. A killed server did not.
  const redis = await openAccountsRedis({ redisUrl: undefined, outputDir, log: () => undefined });
  await redis.stop();
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
