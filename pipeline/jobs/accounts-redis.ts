import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';
import { makeFolder } from '../release/system-error.js';
import { makePrivate } from './private-folder.js';
import { startPrivateRedis, type PrivateRedis } from './private-redis.js';
import { redisName, type RedisAddress } from './redis-connection.js';
import { RedisDamagedError } from './redis-errors.js';

/** The Redis of the accounts and meters. */
export interface AccountsRedis {
  readonly address: RedisAddress | { readonly urls: readonly string[] };
  /** The address for messages, without a password. */
  readonly name: string;
  /** Leaves it. The last process to leave a private server stops it. Calling it twice does nothing. */
  stop(): Promise<void>;
}

/** The choice of the Redis of the accounts. */
export interface AccountsChoice {
  /** REDIS_URL; absent, like `redisUrls`: the private server. */
  readonly redisUrl?: string | undefined;
  /** REDIS_URLS: servers of a cluster. */
  readonly redisUrls?: readonly string[] | undefined;
  readonly outputDir: string;
  readonly log: (line: string) => void;
}

const POLL_MS = 10;
/** `maxmemory` of the private server: 200,000 accounts of 1.3 kB and a million sources of 260 bytes. */
const ACCOUNTS_MEMORY = '512mb';

/** Returns the folder of the private Redis of the accounts. */
export const accountsDirOf = (outputDir: string): string => join(outputDir, 'accounts');

/**
 * Opens the Redis of the accounts: REDIS_URL or REDIS_URLS, without a connection test, or a private server under `output/accounts`
 * that any number of processes share. Throws RedisMissingError, RedisDamagedError, RedisStartError.
 *
 * Every user of the private server holds a shared kernel lock on `lock`, which ends with its process. A process joins
 * or leaves only while it holds `door` exclusively. Otherwise two processes that leave at once would each see the
 * other's lock, and neither would stop the server.
 */
export async function openAccountsRedis(choice: AccountsChoice): Promise<AccountsRedis> {
  const { redisUrl, redisUrls, outputDir, log } = choice;
  if (redisUrls !== undefined) {
    const name = redisUrls.map((url) => redisName({ url })).join(', ');
    return { address: { urls: redisUrls }, name, stop: () => Promise.resolve() };
  }
  if (redisUrl !== undefined) {
    const address = { url: redisUrl };
    return { address, name: redisName(address), stop: () => Promise.resolve() };
  }
  const dir = accountsDirOf(outputDir);
  makeFolder(dirname(dir));
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  // The folder may be older than this rule, or copied without its modes.
  for (const line of makePrivate(dir)) log(line);
  const { fd, server } = await alone(dir, () => enter(dir, log));
  const { socketPath } = server;
  let left: Promise<void> | undefined;
  return {
    address: { socketPath },
    name: socketPath,
    stop: () => (left ??= alone(dir, () => leave(fd, server))),
  };
}

async function enter(
  dir: string,
  log: (line: string) => void,
): Promise<{ fd: number; server: PrivateRedis }> {
  const fd = openSync(join(dir, 'lock'), 'a+', 0o600);
  try {
    // Only `leave` locks it exclusively, and `leave` holds the door.
    await untilTrue(() => tryLock(fd, { shared: true }));
    return { fd, server: await startPrivateRedis(dir, { maxMemory: ACCOUNTS_MEMORY }) };
  } catch (error) {
    closeSync(fd);
    if (!(error instanceof RedisDamagedError)) throw error;
    log(`accounts, keys and credits are in ${dir}; nothing was changed`);
    throw error;
  }
}

async function leave(fd: number, server: PrivateRedis): Promise<void> {
  try {
    if (tryLock(fd)) await server.stop();
  } finally {
    closeSync(fd);
  }
}

/** Runs a step while holding the door, so no other process runs one. */
async function alone<T>(dir: string, step: () => Promise<T>): Promise<T> {
  const door = openSync(join(dir, 'door'), 'a+', 0o600);
  try {
    await untilTrue(() => tryLock(door));
    return await step();
  } finally {
    closeSync(door);
  }
}

async function untilTrue(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(POLL_MS);
}
