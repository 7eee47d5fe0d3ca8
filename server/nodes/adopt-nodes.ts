import type { RedisConnection, Scripts } from '../ledger/redis-connection.js';
import { nodeKeys } from './node-records.js';

/** Raises a counter to a number. KEYS: counter. ARGV: number. */
const RAISE = `
if tonumber(redis.call('GET', KEYS[1]) or 0) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
`;

interface AdoptCommands {
  raiseCounter(key: string, least: number): Promise<null>;
}

const ADOPT_SCRIPTS: Scripts<AdoptCommands> = { raiseCounter: { lua: RAISE, numberOfKeys: 1 } };

/**
 * Copies the node registry of a single Redis, whose keys were imported into this cluster, to the keys that a cluster
 * has, and deletes the imported ones. May be interrupted and run by several processes at once: nothing is replaced.
 */
export async function adoptNodes(redis: RedisConnection): Promise<void> {
  if (!redis.isCluster) return;
  const client = redis.withScripts<AdoptCommands>(ADOPT_SCRIPTS);
  const [from, to] = [nodeKeys(false), nodeKeys(true)];
  if ((await redis.watched(client.exists(from.registered))) === 0) return;
  for (const counter of ['lastNode', 'lastConnection'] as const) {
    const last = await redis.watched(client.get(from[counter]));
    await redis.watched(client.raiseCounter(to[counter], Number(last ?? 0)));
  }
  for (const hash of ['codes', 'tokens', 'seen', 'registered'] as const) {
    const fields = await redis.watched(client.hgetall(from[hash]));
    for (const [field, value] of Object.entries(fields))
      await redis.watched(client.hsetnx(to[hash], field, value));
  }
  // This one first: without it the others are not copied again.
  for (const name of ['registered', 'codes', 'tokens', 'seen', 'lastNode', 'lastConnection'] as const)
    await redis.watched(client.del(from[name]));
}
