import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NodeTimes, RedisAddress } from '../config.js';
import type { EgressGuard } from '../egress/egress-guard.js';
import { MeteringRedis } from '../metering/metering-redis.js';
import { NodeCounts } from './node-counts.js';
import { NodeDoor, type Entrance } from './node-door.js';
import { NodeHub } from './node-hub.js';
import { NodeRegistry } from './node-registry.js';
import type { NodeRelay } from './node-relay.js';
import { NODE_TIMES } from './node-times.js';
import { OnlineView } from './online-view.js';
import { ProcessMail } from './process-mail.js';
import { RedisRelay } from './redis-relay.js';

/** Everything about nodes in one server process. */
export interface Nodes {
  readonly relay: NodeRelay;
  readonly counts: NodeCounts;
  /** Connections that this process holds. */
  connected(): number;
  /** Takes a connection that wants to become a WebSocket. */
  enter(req: IncomingMessage, socket: Duplex, entrance: Entrance): void;
  /** Lets nobody in any more, waits for the jobs of our nodes, and sends them to another server. */
  drain(capMs: number): Promise<void>;
  /** Lets go of Redis. */
  close(): void;
}

/** What they are opened with. */
export interface NodesOptions {
  readonly redis: RedisAddress;
  readonly guard: EgressGuard;
  readonly log?: (line: string) => void;
  readonly times?: Partial<NodeTimes> | undefined;
}

/** Opens them, over two connections to Redis. */
export function openNodes({
  redis: address,
  guard,
  log = () => undefined,
  times: chosen,
}: NodesOptions): Nodes {
  const redis = new MeteringRedis(address);
  const times = { ...NODE_TIMES, ...chosen };
  const counts = new NodeCounts();
  const registry = new NodeRegistry(redis);
  const process = randomUUID();
  const hub = new NodeHub({ registry, process, times, counts, log });
  const view = new OnlineView(registry, times);
  const look = (): void => void view.look();
  const mail = new ProcessMail({
    ...{ redis, process, counts, log },
    onChange: (change) => {
      hub.hear(change);
      look();
    },
    onSubscribed: look,
    run: (node, probe, deadline) => hub.run(node, probe, deadline),
  });
  const door = new NodeDoor({
    ...{ registry, counts, log },
    onAdmitted: (admitted, socket) => {
      hub.add(admitted, socket);
    },
  });
  return {
    relay: new RedisRelay({ hub, view, mail, guard, times, counts }),
    counts,
    connected: () => hub.size,
    enter: (req, socket, entrance) => void door.enter(req, socket, entrance),
    drain: async (capMs) => {
      door.shut();
      await hub.drain(capMs);
    },
    close: () => {
      view.stop();
      mail.close();
      redis.close();
    },
  };
}
