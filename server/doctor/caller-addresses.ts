import type { RedisAddress, ServerConfig } from '../config.js';
import type { Redis } from 'ioredis';
import { openConnection } from '../ledger/open-connection.js';
import type { RedisConnection } from '../ledger/redis-connection.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { UpstreamError } from '../upstream-error.js';
import { DoctorWarning, type Check } from './check.js';
import type { NodesRedis } from './probe-nodes.js';

/** What the check of callers' addresses needs. */
export interface CallersParts extends Pick<ServerConfig, 'trustedProxies'> {
  readonly redis: NodesRedis;
  readonly reserved: ReservedSpace;
}

/**
 * Checks that callers do not all have one address, such as that of a proxy that is not trusted. Reads what the meters
 * have counted without a key in the last minute and on the last days.
 */
export function callerAddressCheck({ redis, trustedProxies, reserved }: CallersParts): Check {
  return {
    group: 'Settings',
    name: 'TRUSTED_PROXIES',
    run: async () => {
      if (trustedProxies.length > 0) return 'is set';
      if ('failure' in redis) throw new UpstreamError('unreachable', redis.failure);
      const callers = await readCallers(redis.address);
      const [[source, calls] = ['', 0], second] = [...callers];
      if (second !== undefined) return 'is empty; callers have different addresses';
      const ip = source.replace(/\/64$/, '');
      const isEnough = source !== '' && calls >= (reserved.has(ip) ? FEW_CALLS : MANY_CALLS);
      if (!isEnough) return `is empty; ${calls} calls without a key, too few to compare`;
      throw new DoctorWarning(
        `is empty, and all ${calls} calls without a key came from ${source}; if this is a proxy, name it in TRUSTED_PROXIES`,
      );
    },
  };
}

/** Calls from one address that are suspicious: few from a private address, many from a public one. */
const FEW_CALLS = 5;
const MANY_CALLS = 200;
const REDIS_MS = 3000;
/** Limit of SCAN calls, for a Redis with many other keys. */
const MAX_SCANS = 500;
/** Keys of the minute and of the day of sources (server/ledger/redis-keys.ts). */
const PATTERN = 'ipatlas:{s*}[dm]:*:ip:*';
const KEY = /^ipatlas:\{s\d+\}[dm]:[^:]+:ip:(.+?)(?::\d{8})?$/;

/** Returns the counted calls of the first two sources, or of fewer. */
async function readCallers(address: RedisAddress): Promise<ReadonlyMap<string, number>> {
  const redis = openConnection(address);
  try {
    if (!(await redis.ready(REDIS_MS))) throw new UpstreamError('unreachable', 'Redis did not answer');
    const callers = new Map<string, number>();
    for (const server of redis.servers()) await addCallers(redis, server, callers);
    return callers;
  } finally {
    redis.close();
  }
}

async function addCallers(
  redis: RedisConnection,
  server: Redis,
  callers: Map<string, number>,
): Promise<void> {
  let cursor = '0';
  for (let scans = 0; scans < MAX_SCANS && callers.size < 2; scans++) {
    const [next, keys] = await redis.watched(server.scan(cursor, 'MATCH', PATTERN, 'COUNT', 1000));
    await addCalls(redis, sourcesOf(keys), callers);
    cursor = next;
    if (cursor === '0') break;
  }
}

interface CountedSource {
  readonly key: string;
  readonly source: string;
}

/** Returns the sources that keys count. */
function sourcesOf(keys: readonly string[]): CountedSource[] {
  return keys.flatMap((key) => {
    const [, source] = KEY.exec(key) ?? [];
    // The /56 and /48 of a source are counted besides its /64 (decision 68).
    return source === undefined || /\/(?:56|48)$/.test(source) ? [] : [{ key, source }];
  });
}

async function addCalls(
  redis: RedisConnection,
  found: readonly CountedSource[],
  callers: Map<string, number>,
): Promise<void> {
  // Keys of several sources have several slots.
  const counts = await redis.watched(Promise.all(found.map(({ key }) => redis.client.get(key))));
  for (const [i, { source }] of found.entries())
    callers.set(source, (callers.get(source) ?? 0) + Number(counts[i] ?? 0));
}
