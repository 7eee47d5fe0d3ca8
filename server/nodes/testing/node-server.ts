import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Lifetime } from '../../../pipeline/testing/lifetime.js';
import type { NodeTimes } from '../../config.js';
import { EgressGuard } from '../../egress/egress-guard.js';
import { WatchedRedis } from '../../ledger/watched-redis.js';
import { readReservedSpace } from '../../targets/reserved-space.js';
import { NodeStore } from '../node-store.js';
import { openNodes, type Nodes } from '../open-nodes.js';
import type { NodeRegistration, OnlineNode } from '../probe-node.js';
import { until } from './until.js';

/** The nodes of one server process, without the rest of a server. */
export interface NodeServer {
  readonly url: string;
  readonly nodes: Nodes;
  readonly lines: readonly string[];
  /** Waits until a node is listed. */
  online(code: string): Promise<OnlineNode>;
  /** Waits until a node is no longer listed. */
  offline(code: string): Promise<void>;
}

/** The folder with the fixtures of IANA's special-purpose registries. */
export const REGISTRIES = fileURLToPath(new URL('../../../../fixtures/feeds/iana', import.meta.url));

/** Returns the guard of a test server. */
export async function testGuard(allowLoopback = true, denied: readonly string[] = []): Promise<EgressGuard> {
  return new EgressGuard({ reserved: await readReservedSpace(REGISTRIES), denied, allowLoopback });
}

/** Starts the nodes on a free loopback port. Closed when the test ends. */
export async function startNodeServer(
  t: Lifetime,
  redisUrl: string,
  { times, guard }: { times?: Partial<NodeTimes>; guard?: EgressGuard } = {},
): Promise<NodeServer> {
  const lines: string[] = [];
  const nodes = openNodes({
    redis: { url: redisUrl },
    guard: guard ?? (await testGuard()),
    times: { pollMs: 100, ...times },
    log: (line) => lines.push(line),
  });
  const server = createServer();
  server.on('upgrade', (req, socket, head) => {
    nodes.accept(req, socket, { head, source: req.headers['x-source']?.toString() ?? 'test' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    await nodes.drain(0);
    nodes.close();
    server.close();
  });
  const find = (code: string): OnlineNode | undefined =>
    nodes.relay.online().find((node) => node.code === code);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nodes,
    lines,
    online: async (code) => {
      await until(`${code} is online`, () => find(code) !== undefined);
      return find(code)!;
    },
    offline: (code) => until(`${code} is offline`, () => find(code) === undefined),
  };
}

/** Returns a store over its own connection. */
export async function testNodeStore(t: Lifetime, redisUrl: string): Promise<NodeStore> {
  const redis = new WatchedRedis({ url: redisUrl });
  t.teardown(() => {
    redis.close();
  });
  await redis.ready(5000);
  return new NodeStore(redis);
}

/** Returns the registration of a test node. */
export function place(code: string, country_code = 'DE'): Omit<NodeRegistration, 'id'> {
  return {
    code,
    name: `节点 ${code}`,
    name_en: `Node ${code}`,
    isp: 'test',
    region: 'Europe',
    country: '德国',
    country_code,
    province: 'Hessen',
    city: 'Frankfurt',
  };
}
