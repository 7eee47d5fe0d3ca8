import type { RedisAddress } from '../config.js';
import { MeteringRedis } from '../metering/metering-redis.js';
import { NodeRegistry } from './node-registry.js';

/** The registry alone, for commands; absent when Redis does not answer in time. */
export async function openRegistry(
  address: RedisAddress,
  patienceMs: number,
): Promise<{ registry: NodeRegistry; close: () => void } | undefined> {
  const redis = new MeteringRedis(address);
  const close = (): void => {
    redis.close();
  };
  if (await redis.ready(patienceMs)) return { registry: new NodeRegistry(redis), close };
  close();
  return undefined;
}
