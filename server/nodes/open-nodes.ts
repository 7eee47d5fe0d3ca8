import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NodeTimes, RedisAddress } from '../config.js';
import type { EgressGuard } from '../egress/egress-guard.js';
import { openConnection } from '../ledger/open-connection.js';
import { NodeCounts } from './node-counts.js';
import { NodeHandshake, type UpgradeRequest } from './node-handshake.js';
import { NodeHub } from './node-hub.js';
import { NodeStore } from './node-store.js';
import type { NodeRelay } from './node-relay.js';
import { OnlineView } from './online-view.js';
import { ProcessMessages } from './process-messages.js';
import { RedisRelay } from './redis-relay.js';

/** All parts for nodes in one server process. */
export interface Nodes {
  readonly relay: NodeRelay;
  readonly counts: NodeCounts;
  /** Number of connections in this process. */
  connected(): number;
  /** Handles an upgrade request of an agent. */
  accept(req: IncomingMessage, socket: Duplex, request: UpgradeRequest): void;
  /** Rejects new connections, waits for running jobs, and disconnects the nodes. */
  drain(capMs: number): Promise<void>;
  /** Closes the connections to Redis. */
  close(): void;
}

/** What the parts for nodes need. */
export interface NodesOptions {
  readonly redis: RedisAddress;
  readonly guard: EgressGuard;
  readonly log?: (line: string) => void;
  readonly times?: Partial<NodeTimes> | undefined;
}

/** Times of a production server. */
export const NODE_TIMES: NodeTimes = {
  heartbeatMs: 3000,
  readyMs: 20_000,
  leaveMs: 20_000,
  ackMs: 3000,
  answerMs: 14_000,
  seenMs: 10_000,
  presenceMs: 10_000,
  pollMs: 1000,
  staleMs: 10_000,
};

/** Opens the parts for nodes, with two connections to Redis. */
export function openNodes({
  redis: address,
  guard,
  log = () => undefined,
  times: chosen,
}: NodesOptions): Nodes {
  const redis = openConnection(address);
  const times = { ...NODE_TIMES, ...chosen };
  const counts = new NodeCounts();
  const store = new NodeStore(redis);
  const process = randomUUID();
  const hub = new NodeHub({ store, process, times, counts, guard, log });
  const view = new OnlineView(store, times);
  const refresh = (): void => void view.refresh();
  const messages = new ProcessMessages({
    redis,
    process,
    counts,
    log,
    onChange: (change) => {
      hub.apply(change);
      refresh();
    },
    onSubscribed: refresh,
    run: (node, probe, deadline) => hub.run(node, probe, deadline),
  });
  const handshake = new NodeHandshake({
    store,
    counts,
    log,
    onAdmitted: (admitted, socket) => {
      hub.add(admitted, socket);
    },
  });
  return {
    relay: new RedisRelay({ hub, view, messages, times }),
    counts,
    connected: () => hub.size,
    accept: (req, socket, request) => void handshake.accept(req, socket, request),
    drain: async (capMs) => {
      handshake.stop();
      await hub.drain(capMs);
    },
    close: () => {
      view.stop();
      messages.close();
      redis.close();
    },
  };
}
