import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino, type Logger } from 'pino';
import type { Lifetime } from '../../pipeline/testing/lifetime.js';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { RedisAccounts } from '../ledger/accounts/redis-accounts.js';
import { RedisMemory } from '../ledger/redis-memory.js';
import type { AccountStore } from '../ledger/accounts/account.js';
import type { ServerConfig } from '../config.js';
import { Calendar } from '../ledger/calendar.js';
import { WatchedRedis } from '../ledger/watched-redis.js';
import type { PlanId } from '../ledger/plans.js';
import type { Parts } from '../parts.js';
import { startServer, type RunningServer } from '../process/start-server.js';
import { publishSmallRelease } from './small-release.js';
import { answerChecker, type CheckedAnswer } from './checked-answer.js';

/** A complete server on free loopback ports, with its own Redis and release. Stopped when the test ends. */
export interface TestServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly outputDir: string;
  readonly redis: { readonly url: string; readonly pid: number };
  readonly accounts: AccountStore;
  readonly running: RunningServer;
  /** Creates an account and returns its key. */
  key(plan: PlanId): Promise<string>;
  /** Sends a GET request. Throws AssertionError if the answer violates the OpenAPI document. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<CheckedAnswer>;
  /** The same for a POST request. Text is sent unchanged, any other body as JSON. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<CheckedAnswer>;
  ask(path: string, init: RequestInit): Promise<CheckedAnswer>;
  /** Starts another server with the same Redis and release, like another process or machine. */
  another(settings?: TestSettings): Promise<TestServer>;
}

/** Options of a running server. */
export type TestSettings = Partial<ServerConfig> & {
  /** Whether to publish a small release before the start. True by default. */
  readonly withRelease?: boolean;
  /** Receives the server's log. Discarded by default. */
  readonly log?: Logger;
  /** Parts that replace the server's own. */
  readonly parts?: Partial<Parts>;
};

/** Starts the server. */
export async function runServer(t: Lifetime, settings: TestSettings = {}): Promise<TestServer> {
  const outputDir = settings.outputDir ?? folderFor(t);
  const redis = await newRedisForTest(t);
  if (settings.withRelease !== false) await publishSmallRelease(outputDir);
  return await startOver(t, { outputDir, redis, settings });
}

/** Returns the settings of a test server: no log, free ports. */
export function testConfig(outputDir: string, redisUrl: string): ServerConfig {
  return {
    ...{ host: '127.0.0.1', port: 0, metricsHost: '127.0.0.1', metricsPort: 0 },
    redis: { url: redisUrl },
    registryDir: REGISTRIES,
    rdapDirs: [],
    ...{
      egressDeny: [],
      probeDenyPorts: [25, 465, 587],
      allowLoopback: true,
      hasPages: true,
      hasReport: false,
    },
    upstreams: { whoisRoot: 'whois.test-root.example.com', whoisPort: 43, dohResolvers: [] },
    outputDir,
    ...{ trustedProxies: [], dnsServers: [], timeZone: 'UTC', workers: 1 },
    ...{ maxConnections: 10_000, maxConnectionsPerSource: 10_000 },
    ...{ releasePollMs: 50, storePollMs: 50, keepReleases: 7, logLevel: 'silent' },
  };
}

const REGISTRIES = fileURLToPath(new URL('../../../fixtures/feeds/iana', import.meta.url));

interface World {
  readonly outputDir: string;
  readonly redis: { readonly url: string; readonly pid: number };
  readonly settings: TestSettings;
}

async function startOver(t: Lifetime, { outputDir, redis, settings }: World): Promise<TestServer> {
  const { log = pino({ level: 'silent' }), parts, ...chosen } = settings;
  const config = { ...testConfig(outputDir, redis.url), ...chosen };
  const running = await startServer(config, log, parts);
  t.teardown(() => running.stop(0));
  const connection = new WatchedRedis({ url: redis.url });
  t.teardown(() => {
    connection.close();
  });
  await connection.ready(5000);
  const accounts = new RedisAccounts(connection, new Calendar(config.timeZone), new RedisMemory(connection));
  const check = await answerChecker(running.url);
  const ask = async (path: string, init: RequestInit): Promise<CheckedAnswer> =>
    await check(await fetch(`${running.url}${path}`, init), { path, method: init.method ?? 'GET' });
  return {
    ...{ url: running.url, outputDir, redis, accounts, running, ask },
    key: async (plan) => (await accounts.createKey({ email: `${randomUUID()}@example.com`, plan })).key,
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, body, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    another: (more = {}) => startOver(t, { outputDir, redis, settings: { ...settings, ...more } }),
  };
}

function folderFor(t: Lifetime): string {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-server-'));
  t.teardown(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}
