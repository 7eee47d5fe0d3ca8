import type { RedisAddress } from '../config.js';
import type { RedisConnection } from './redis-connection.js';
import { WatchedCluster } from './cluster/watched-cluster.js';
import { WatchedRedis } from './watched-redis.js';

/** Connects to a Redis server or cluster. `log` gets a line when it is lost or restored, and about failed commands. */
export function openConnection(address: RedisAddress, log?: (line: string) => void): RedisConnection {
  return 'urls' in address ? new WatchedCluster(address.urls, log) : new WatchedRedis(address, log);
}
