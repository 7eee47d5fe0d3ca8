import type { RedisAddress } from '../config.js';
import { leftOf } from '../deadline.js';
import type { KnownNode } from '../nodes/node-store.js';
import { openNodeStore } from '../nodes/node-store.js';
import { UpstreamError } from '../upstream-error.js';
import type { Check } from './check.js';
import type { CheckRun } from './run-checks.js';
import { runChecks } from './run-checks.js';

/** The Redis with the registered nodes and its name in the report, or why it is not available. */
export type NodesRedis =
  | { readonly name: string; readonly address: RedisAddress }
  | { readonly name: string; readonly failure: string };

/** Checks that Redis answers, then that each registered node is online. */
export async function examineNodes(registered: NodesRedis, run: CheckRun) {
  let nodes: readonly KnownNode[] = [];
  const redis: Check = {
    group: 'Probe nodes',
    name: `Redis at ${registered.name}`,
    run: async (deadline) => {
      nodes = await readNodes(registered, leftOf(deadline));
      return `answers, ${nodes.length === 0 ? 'no nodes' : `nodes: ${nodes.length}`}`;
    },
  };
  const found = await runChecks([redis], run);
  return [...found, ...(await runChecks(nodes.map(onlineCheck), run))];
}

async function readNodes(registered: NodesRedis, patienceMs: number): Promise<readonly KnownNode[]> {
  if ('failure' in registered) throw new UpstreamError('unreachable', registered.failure);
  const opened = await openNodeStore(registered.address, Math.min(patienceMs, REDIS_MS));
  if (opened === undefined) throw new UpstreamError('unreachable', 'no answer');
  try {
    return await opened.store.list();
  } catch (error) {
    throw new UpstreamError('failed', error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  } finally {
    opened.close();
  }
}

const REDIS_MS = 3000;

function onlineCheck({ code, country_code, presence, lastSeen }: KnownNode): Check {
  return {
    group: 'Probe nodes',
    name: `${code} (${country_code})`,
    run: () => {
      if (presence !== undefined) return Promise.resolve(`online, agent ${presence.version}`);
      const since = lastSeen === undefined ? 'never online' : `offline, last seen ${lastSeen}`;
      return Promise.reject(new UpstreamError('unreachable', since));
    },
  };
}
