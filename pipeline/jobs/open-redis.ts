import { existsSync, renameSync, rmSync } from 'node:fs';
import type { StoreAddress } from '../store/store-address.js';
import { queuePrefix } from './flow-plan.js';
import { redisDirOf, startPrivateRedis, type PrivateRedis } from './private-redis.js';
import { linkRedis, type RedisLink } from './redis-connection.js';
import { RedisDamagedError, RedisUnreachableError } from './redis-errors.js';
import { findSocketPath } from './socket-path.js';

/** An open Redis for jobs. */
export interface OpenRedis extends Pick<RedisLink, 'name' | 'connection' | 'lost'> {
  /** Prefix of all keys of the output directory. */
  readonly prefix: string;
  /** Whether the server exists only for one build. */
  readonly isPrivate: boolean;
  /** Disconnects. A private server is stopped even if others are connected. */
  stop(): Promise<void>;
}

/** The choice of a Redis. */
export interface RedisChoice {
  /** REDIS_URL; absent: the private server of the output directory. */
  readonly redisUrl: string | undefined;
  readonly outputDir: string;
  /** The store of the build; absent without STORE. */
  readonly store?: StoreAddress | undefined;
  readonly log: (line: string) => void;
}

/**
 * Opens the Redis of a build; the caller holds the build lock. Throws RedisUnreachableError, RedisMissingError,
 * RedisStartError.
 */
export async function openRedis(choice: RedisChoice): Promise<OpenRedis> {
  const { redisUrl, outputDir, log } = choice;
  const prefix = prefixOf(choice);
  if (redisUrl !== undefined)
    return connected(await linkRedis({ url: redisUrl }), { prefix, isPrivate: false });
  const server = await startForJobs(redisDirOf(outputDir), log);
  process.once('exit', server.kill);
  try {
    const link = await linkRedis({ socketPath: server.socketPath });
    const stop = async (): Promise<void> => {
      link.close();
      await server.stop();
      process.off('exit', server.kill);
    };
    return { ...link, prefix, isPrivate: true, stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Opens the Redis of a build in another process. Throws RedisUnreachableError without one. */
export async function joinRedis(choice: Omit<RedisChoice, 'log'>): Promise<OpenRedis> {
  const { redisUrl, outputDir } = choice;
  const prefix = prefixOf(choice);
  if (redisUrl !== undefined)
    return connected(await linkRedis({ url: redisUrl }), { prefix, isPrivate: false });
  const socketPath = findSocketPath(redisDirOf(outputDir));
  if (socketPath === undefined || !existsSync(socketPath)) {
    throw new RedisUnreachableError(`no build is running in ${outputDir}: start one first, or set REDIS_URL`);
  }
  return connected(await linkRedis({ socketPath }), { prefix, isPrivate: true });
}

function prefixOf({ outputDir, store }: Pick<RedisChoice, 'outputDir' | 'store'>): string {
  return queuePrefix({ outputDir, ...(store && { store }) });
}

function connected(link: RedisLink, own: Pick<OpenRedis, 'prefix' | 'isPrivate'>): OpenRedis {
  return {
    ...link,
    ...own,
    stop: () => {
      link.close();
      return Promise.resolve();
    },
  };
}

/** Starts a private Redis. Damaged files are moved aside: jobs hold no state that is not on disk. */
async function startForJobs(redisDir: string, log: (line: string) => void): Promise<PrivateRedis> {
  try {
    return await startPrivateRedis(redisDir);
  } catch (error) {
    if (!(error instanceof RedisDamagedError)) throw error;
    const { dir, found } = error;
    log(`the private Redis could not read its files (${found}); they were moved to ${setAside(dir)}`);
    return await startPrivateRedis(dir);
  }
}

/** Moves a damaged folder aside. Only the last one is kept. */
function setAside(dir: string): string {
  const aside = `${dir}.damaged`;
  rmSync(aside, { recursive: true, force: true });
  renameSync(dir, aside);
  return aside;
}
