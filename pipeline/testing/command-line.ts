import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { plainNode } from './child-process.js';

/** The exit code and output of a run of the command line. */
export interface Ended {
  readonly code: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run of the command line in its own process. */
export interface Run {
  readonly child: ChildProcess;
  /** Resolves when stderr contains the text; rejects if the run ends without it. */
  readonly saw: (text: string) => Promise<void>;
  readonly ended: Promise<Ended>;
}

/** Variables to set, such as FEEDS, OUTPUT and REDIS_URL. Other variables of the test process are passed on. */
export type Settings = Readonly<Record<string, string>>;

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

/** The project's folder; this file is compiled to `dist/pipeline/testing`. */
export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

/** Variables of the caller's environment that must not reach a test. */
const UNSET = [
  'FEEDS',
  'DATASET_FEEDS',
  'REDIS_URL',
  'SOURCE_DATE_EPOCH',
  'RELAYS_ARE_PROXIES',
  'KEEP_RELEASES',
  'KEEP_DAYS',
  'STORE',
  'NOTIFY_URL',
  'NOTIFY_SECRET',
  'NOTIFY_COMMAND',
  'IPATLAS_MIRROR',
];
/**
 * The default settings of a build in tests. They save time: all feeds take much longer to read, and each thread of a
 * parallel job loads the pipeline. Most tests depend neither on the feeds nor on the number of jobs.
 */
const SMALL_NIGHT = { BUILD_FEEDS: 'own,geolite2', BUILD_JOBS: '1' };

/** Returns the variables for a run of the command line. */
export function environmentOf(settings: Settings): NodeJS.ProcessEnv {
  const bare = Object.fromEntries(UNSET.map((name) => [name, '']));
  return { ...process.env, ...bare, ...SMALL_NIGHT, ...settings };
}

/** Starts `ipatlas <args>` with SMALL_NIGHT and the given settings. The process is killed when the test ends. */
export function start(t: Test, settings: Settings, ...args: readonly string[]): Run {
  const child = spawn(...plainNode(MAIN, ...args), {
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    child.emit('output');
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    return { code: (code ?? signal) as number | NodeJS.Signals, stdout, stderr };
  });
  const saw = async (text: string): Promise<void> => {
    while (!stderr.includes(text)) {
      const next = await Promise.race([ended, once(child, 'output')]);
      if (!Array.isArray(next) && !stderr.includes(text)) throw new Error(`no "${text}" in:\n${stderr}`);
    }
  };
  return { child, saw, ended };
}

/** Runs `ipatlas <args>` and waits for its end. */
export function ipatlas(t: Test, settings: Settings, ...args: readonly string[]): Promise<Ended> {
  return start(t, settings, ...args).ended;
}
