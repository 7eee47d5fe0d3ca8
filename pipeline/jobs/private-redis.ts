import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../release/system-error.js';
import { probe } from './redis-connection.js';
import { RedisDamagedError, RedisStartError } from './redis-errors.js';
import { spawnRedis } from './redis-program.js';
import { makeSocketPath, removeSocket } from './socket-path.js';

/** A private redis-server on a Unix socket. */
export interface PrivateRedis {
  readonly socketPath: string;
  /** Stops the server and waits until it has ended. Calling it twice does nothing. */
  stop(): Promise<void>;
  /** Stops the server without waiting, for a process that is about to exit. */
  readonly kill: () => void;
}

const START_MS = 20_000;
const STOP_MS = 5000;
const POLL_MS = 25;

/** Returns the folder of the private Redis of an output directory's builds. */
export const redisDirOf = (outputDir: string): string => join(outputDir, 'redis');

/** The limit of a server's memory. An adopted server keeps its own. */
export interface MemoryLimit {
  /** In the notation of redis.conf: `512mb`. Without a limit by default. */
  readonly maxMemory?: string;
}

/**
 * Starts the private Redis of a folder, or adopts a running one. The caller must prevent other processes from starting
 * or stopping it meanwhile. Throws RedisMissingError, RedisDamagedError or RedisStartError.
 */
export async function startPrivateRedis(redisDir: string, limit: MemoryLimit = {}): Promise<PrivateRedis> {
  const dir = resolve(redisDir);
  makeFolder(dirname(dir));
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const orphan = makeSocketPath(dir);
  if (existsSync(orphan)) {
    const pid = await pidBehind(orphan);
    if (pid !== undefined) return handle({ dir, socketPath: orphan, pid });
    removeSocket(dir, orphan);
  }
  const started = await tryStart(dir, limit);
  if (typeof started !== 'string') return started;
  if (/append only|AOF|RDB/i.test(started)) throw new RedisDamagedError(dir, started);
  throw new RedisStartError(`redis-server did not start: ${started}`);
}

/** Returns the started server, or the last line of its log when it failed. */
async function tryStart(dir: string, limit: MemoryLimit): Promise<PrivateRedis | string> {
  const socketPath = makeSocketPath(dir);
  const logFile = join(dir, 'redis.log');
  writeFileSync(logFile, '', { mode: 0o600 });
  const child = await spawnServer(dir, socketPath, limit);
  const deadline = Date.now() + START_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    if (existsSync(socketPath) && (await pidWhenReady(socketPath)) === child.pid) {
      return handle({ dir, socketPath, pid: child.pid! });
    }
    await sleep(POLL_MS);
  }
  child.kill('SIGKILL');
  removeSocket(dir, socketPath);
  return lastWarning(readFileSync(logFile, 'utf8'));
}

/**
 * Starts the server in its folder with relative paths. Before Redis 7 its command line does not allow spaces in paths.
 */
async function spawnServer(
  dir: string,
  socketPath: string,
  { maxMemory = '0' }: MemoryLimit,
): Promise<ChildProcess> {
  const settings: readonly (readonly [string, string])[] = [
    ['port', '0'],
    ['unixsocket', dirname(socketPath) === dir ? 'redis.sock' : socketPath],
    ['unixsocketperm', '700'],
    ['dir', '.'],
    ['appendonly', 'yes'],
    ['save', ''],
    ['logfile', 'redis.log'],
    ['daemonize', 'no'],
    ['maxmemory', maxMemory],
    ['maxmemory-policy', 'noeviction'],
  ];
  const args = settings.flatMap(([name, value]) => [`--${name}`, value]);
  // A separate session, so Ctrl-C does not reach the server. It is stopped after the workers have ended.
  const options: SpawnOptions = { cwd: dir, stdio: 'ignore', detached: true };
  const child = await spawnRedis(dirname(dir), args, options);
  child.unref();
  return child;
}

/** Returns the process id of the server on a socket; undefined without one. */
async function pidBehind(socketPath: string): Promise<number | undefined> {
  try {
    return await probe({ socketPath });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return undefined;
    throw new RedisStartError(`a server listens on ${socketPath} but does not respond`, { cause: error });
  }
}

/** Returns the process id of a starting server. It may drop the connection while it loads or when it fails. */
async function pidWhenReady(socketPath: string): Promise<number | undefined> {
  return await probe({ socketPath }).catch(() => undefined);
}

function handle(server: { dir: string; socketPath: string; pid: number }): PrivateRedis {
  const { dir, socketPath, pid } = server;
  let stopped: Promise<void> | undefined;
  const kill = (): void => {
    signal(pid, 'SIGTERM');
  };
  const stop = async (): Promise<void> => {
    kill();
    if (!(await gone(pid))) signal(pid, 'SIGKILL');
    removeSocket(dir, socketPath);
  };
  return {
    socketPath,
    kill,
    stop: () => (stopped ??= stop()),
  };
}

/**
 * Sends a signal. SIGTERM makes redis-server shut down cleanly (redis.io, "signals handling"). False: no such process.
 */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

async function gone(pid: number): Promise<boolean> {
  const deadline = Date.now() + STOP_MS;
  while (signal(pid, 0)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Returns the text of the last line marked `#`: `123:M 21 Nov 2026 07:49:08.123 # Bad file format …`. */
function lastWarning(log: string): string {
  const lines = log.trim().split('\n');
  const warning = lines.findLast((line) => line.includes(' # ')) ?? lines.at(-1) ?? '';
  return warning.slice(warning.indexOf(' # ') + 1).replace(/^# /, '');
}
