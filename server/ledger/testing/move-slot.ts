import type { ClusterServer, TestCluster } from './redis-cluster.js';

/** A move of a slot from one master to another. */
export interface SlotMove {
  readonly slot: number;
  readonly from: ClusterServer;
  readonly to: ClusterServer;
  /** Keys that are moved in one step. */
  readonly stepKeys?: number;
}

/** Moves a slot with its keys while clients use it, as `redis-cli --cluster reshard` does. */
export async function moveSlot(
  { servers }: TestCluster,
  { slot, from, to, stepKeys = 10 }: SlotMove,
): Promise<void> {
  const [source, target] = [await from.id(), await to.id()];
  await to.redis.cluster('SETSLOT', slot, 'IMPORTING', source);
  await from.redis.cluster('SETSLOT', slot, 'MIGRATING', target);
  for (;;) {
    const keys = await from.redis.cluster('GETKEYSINSLOT', slot, stepKeys);
    if (keys.length === 0) break;
    // A step whose connection is cut is done again; it may have left copies at the target.
    const step = from.redis.call('MIGRATE', '127.0.0.1', to.port, '', 0, 5000, 'REPLACE', 'KEYS', ...keys);
    await step.catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('IOERR'))) throw error;
    });
  }
  await to.redis.cluster('SETSLOT', slot, 'NODE', target);
  await from.redis.cluster('SETSLOT', slot, 'NODE', target);
  for (const server of servers)
    if (server.isRunning() && (await isMaster(server)))
      await server.redis.cluster('SETSLOT', slot, 'NODE', target);
}

async function isMaster({ redis }: ClusterServer): Promise<boolean> {
  const [role] = (await redis.call('ROLE')) as [string];
  return role === 'master';
}
