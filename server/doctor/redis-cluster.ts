import type { ClusterMaster } from '../ledger/cluster/cluster-masters.js';
import { WatchedCluster } from '../ledger/cluster/watched-cluster.js';
import { UpstreamError } from '../upstream-error.js';
import { DoctorWarning, type Check } from './check.js';
import type { NodesRedis } from './probe-nodes.js';

const REDIS_MS = 3000;
/** All slots of a cluster. */
const SLOTS = 16_384;

/** Returns the check of a Redis Cluster; none for another Redis. */
export function clusterChecks(redis: NodesRedis | undefined): Check[] {
  return redis !== undefined && 'address' in redis && 'urls' in redis.address
    ? [clusterCheck(redis.name, redis.address.urls)]
    : [];
}

/** Checks that all masters of a Redis Cluster answer and have all slots, and that each has a replica. */
function clusterCheck(name: string, urls: readonly string[]): Check {
  return {
    group: 'Settings',
    name: `Redis Cluster at ${name}`,
    run: async () => {
      const redis = new WatchedCluster(urls);
      try {
        const isReady = await redis.ready(REDIS_MS);
        return judge(redis.shape(), isReady);
      } finally {
        redis.close();
      }
    },
  };
}

function judge(masters: readonly ClusterMaster[], isReady: boolean): string {
  const lost = masters.filter((master) => !master.isReady).map(({ server }) => server);
  if (lost.length > 0) throw new UpstreamError('unreachable', `masters do not answer: ${lost.join(', ')}`);
  if (!isReady) throw new UpstreamError('unreachable', 'no server of a cluster answers');
  const slots = masters.reduce((sum, master) => sum + master.slots, 0);
  if (slots < SLOTS) throw new UpstreamError('failed', `${SLOTS - slots} of ${SLOTS} slots have no master`);
  const alone = masters.filter(({ replicas }) => replicas === 0).map(({ server }) => server);
  const text = `masters: ${masters.length}`;
  if (alone.length > 0)
    throw new DoctorWarning(
      `${text}, without a replica: ${alone.join(', ')}; their accounts are lost with them`,
    );
  return `${text}, each with a replica`;
}
