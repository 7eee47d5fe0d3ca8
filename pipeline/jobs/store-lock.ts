import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { Redis } from 'ioredis';
import { BuildRunningError } from './build-lock.js';
import type { OpenRedis } from './open-redis.js';

/** The lock that excludes the builds of other machines. */
export interface StoreLock {
  /** Aborts with BuildRunningError when another machine has taken the lock. */
  readonly taken: AbortSignal;
  release(): Promise<void>;
}

/** Time after which the lock of a dead machine ends, in ms, and the interval of its renewal. */
const LOCK_MS = 30_000;
const RENEWAL_MS = 10_000;
/** Time limit of one command, in ms: a frozen Redis must not keep the build from ending. */
const COMMAND_MS = 3000;

/** KEYS: lock. ARGV: owner, start, time in ms. Returns the owner and start of another holder, or nothing. */
const TAKE = `
local held = redis.call('HMGET', KEYS[1], 'owner', 'since')
if held[1] and held[1] ~= ARGV[1] then return held[2] end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'since', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return nil`;

/** KEYS: lock. ARGV: owner. */
const LEAVE = `
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then redis.call('DEL', KEYS[1]) end`;

/**
 * Takes the lock of a shared Redis for the builds of one store. The caller holds the file lock of the output folder: a
 * lock that an earlier build of this folder left is taken over. Throws BuildRunningError if another machine holds it.
 */
export async function lockStore(
  { connection, prefix }: Pick<OpenRedis, 'connection' | 'prefix'>,
  { outputDir, machine = hostname() }: { readonly outputDir: string; readonly machine?: string },
): Promise<StoreLock> {
  const { url, ...rest } = connection;
  const options = { ...rest, commandTimeout: COMMAND_MS };
  const client = url === undefined ? new Redis(options) : new Redis(url, options);
  // A lost Redis is reported once by its link.
  client.on('error', () => undefined);
  const key = `${prefix}:lock`;
  const owner = createHash('sha256')
    .update(`${machine} ${resolve(outputDir)}`)
    .digest('hex');
  const since = new Date().toISOString();
  const take = async (): Promise<void> => {
    const holder = (await client.eval(TAKE, 1, key, owner, since, LOCK_MS)) as string | null;
    if (holder === null) return;
    throw new BuildRunningError(
      `another machine is building into this store since ${holder}. If it has ended, its lock ends within 30 s`,
    );
  };
  try {
    await take();
  } catch (error) {
    client.disconnect();
    throw error;
  }
  const taken = new AbortController();
  const renewal = setInterval(() => {
    take().catch((error: unknown) => {
      if (error instanceof BuildRunningError) taken.abort(error);
    });
  }, RENEWAL_MS);
  return {
    taken: taken.signal,
    release: async () => {
      clearInterval(renewal);
      try {
        if (client.status === 'ready') await client.eval(LEAVE, 1, key, owner);
      } catch {
        // The lock ends by itself.
      } finally {
        client.disconnect();
      }
    },
  };
}
