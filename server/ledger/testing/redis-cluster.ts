import assert from 'node:assert';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import type { Lifetime } from '../../../pipeline/testing/lifetime.js';
import { freePort } from '../../../pipeline/testing/free-port.js';

/** A Redis Cluster on the loopback. Its servers are killed when the test ends. */
export interface TestCluster {
  readonly servers: readonly ClusterServer[];
  readonly urls: readonly string[];
  /** Returns the masters that have slots, as the first running server knows them. */
  masters(): Promise<ClusterServer[]>;
  /** Returns the server that is master of a slot, as the first running server knows it. */
  masterOf(slot: number): Promise<ClusterServer>;
  /** Waits until all running servers know masters for all slots. */
  settled(): Promise<void>;
}

/** A server of a test cluster. */
export interface ClusterServer {
  readonly port: number;
  readonly url: string;
  /** Undefined without TLS. */
  readonly tlsUrl: string | undefined;
  readonly redis: Redis;
  pid(): number;
  /** Returns its id in the cluster. */
  id(): Promise<string>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, with its part in the cluster but without data. */
  restart(): Promise<void>;
  isRunning(): boolean;
}

/** The shape of a test cluster. */
export interface ClusterShape {
  readonly masters?: number;
  readonly replicasOfEach?: number;
  /** `cluster-node-timeout`. A replica takes over after somewhat more. A busy machine needs a long one. */
  readonly nodeTimeoutMs?: number;
  readonly settings?: readonly string[];
  /** The servers also listen with TLS, and name these ports to clients with TLS. */
  readonly tls?: TlsFiles;
}

/** Paths of PEM files: of a server at 127.0.0.1, and of the authority that signed its certificate. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly authority: string;
}

const run = promisify(execFile);

/** Starts a cluster of three masters, each with one replica unless the shape is another. */
export async function newClusterForTest(
  t: Lifetime,
  { masters = 3, replicasOfEach = 1, nodeTimeoutMs = 15_000, settings = [], tls }: ClusterShape = {},
): Promise<TestCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-cluster-'));
  t.teardown(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const count = masters * (1 + replicasOfEach);
  const servers = await Promise.all(
    Array.from({ length: count }, () =>
      startServer(t, dir, { settings: ['--cluster-node-timeout', String(nodeTimeoutMs), ...settings], tls }),
    ),
  );
  const addresses = servers.map(({ url, tlsUrl }) => new URL(tlsUrl ?? url).host);
  const replicas = ['--cluster-replicas', String(replicasOfEach), '--cluster-yes'];
  const trust = tls ? ['--tls', '--cacert', tls.authority] : [];
  await run('redis-cli', [...trust, '--cluster', 'create', ...addresses, ...replicas]);
  const known = async () => slotsOf(servers.find((server) => server.isRunning())!);
  const masterIn = ([, , master]: SlotRange) => servers.find(({ port }) => port === master?.[1])!;
  const cluster = {
    servers,
    urls: servers.map(({ url }) => url),
    masters: async () => [...new Set((await known()).map(masterIn))],
    masterOf: async (slot: number) =>
      masterIn((await known()).find(([first, last]) => first <= slot && slot <= last)!),
    settled: async () => {
      for (const server of servers) if (server.isRunning()) await untilSettled(server, servers);
    },
  };
  await cluster.settled();
  for (const server of servers) await untilReplicasKnown(server, replicasOfEach);
  return cluster;
}

type SlotRange = readonly [
  first: number,
  last: number,
  ...servers: (readonly [host: string, port: number])[],
];

async function slotsOf({ redis }: ClusterServer): Promise<SlotRange[]> {
  const ranges = await redis.cluster('SLOTS');
  return ranges.map(([first, last, ...servers]) => [first, last, ...servers.map(portOf)]);
}

function portOf([host, port]: readonly [host: string, port: number, ...unknown[]]): [string, number] {
  return [host, port];
}

/** Waits until a server sees a running master for each slot. */
async function untilSettled(server: ClusterServer, servers: readonly ClusterServer[]): Promise<void> {
  for (;;) {
    const isOk = (await server.redis.cluster('INFO')).includes('cluster_state:ok');
    const ranges = await slotsOf(server);
    const areRunning = ranges.every(([, , master]) =>
      servers.some((other) => other.port === master?.[1] && other.isRunning()),
    );
    if (isOk && areRunning) return;
    await sleep(50);
  }
}

/** Waits until a server knows the replicas of each master. */
async function untilReplicasKnown(server: ClusterServer, count: number): Promise<void> {
  while ((await slotsOf(server)).some(([, , , ...replicas]) => replicas.length < count)) await sleep(50);
}

interface ServerSettings {
  readonly settings: readonly string[];
  readonly tls: TlsFiles | undefined;
}

async function startServer(
  t: Lifetime,
  dir: string,
  { settings, tls }: ServerSettings,
): Promise<ClusterServer> {
  const port = await freePort();
  const tlsPort = tls && (await freePort());
  const folder = join(dir, String(port));
  mkdirSync(folder);
  const args = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
    // The port of the cluster bus is 10,000 higher by default, which may be more than there are.
    ...['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())],
    ...['--repl-diskless-sync-delay', '0', ...settings],
    ...(tls ? ['--tls-port', String(tlsPort), ...TLS_SETTINGS, ...identityOf(tls)] : []),
  ];
  let child: ChildProcess = spawn('redis-server', args, { stdio: 'ignore' });
  const redis = new Redis({ host: '127.0.0.1', port, retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  t.teardown(() => {
    redis.disconnect();
    child.kill('SIGKILL');
  });
  await redis.ping();
  return {
    ...{ port, redis, url: `redis://127.0.0.1:${port}` },
    tlsUrl: tlsPort === undefined ? undefined : `rediss://127.0.0.1:${tlsPort}`,
    pid: () => {
      assert(child.pid !== undefined);
      return child.pid;
    },
    id: () => redis.cluster('MYID'),
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    restart: async () => {
      child = spawn('redis-server', args, { stdio: 'ignore' });
      await redis.ping();
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
  };
}

// Without `tls-cluster` a server names its other port to clients with TLS.
const TLS_SETTINGS = ['--tls-auth-clients', 'no', '--tls-cluster', 'yes'];

function identityOf({ cert, key, authority }: TlsFiles): string[] {
  return ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', authority];
}
