import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino, type Logger } from 'pino';
import type { Lifetime } from '../../pipeline/jobs/testing/lifetime.js';
import { newRedisForTest } from '../../pipeline/jobs/testing/redis-server.js';
import { RedisAccounts } from '../accounts/redis-accounts.js';
import type { AccountStore } from '../accounts/account-store.js';
import type { ServerConfig } from '../config.js';
import { Calendar } from '../metering/calendar.js';
import { MeteringRedis } from '../metering/metering-redis.js';
import type { PlanId } from '../metering/plans.js';
import type { Parts } from '../parts.js';
import { startServer, type RunningServer } from '../process/start-server.js';
import { publishSmallRelease } from './small-release.js';
import { answerChecker, type CheckedAnswer } from './checked-answer.js';

/** A whole server on free ports of loopback with a Redis and a release of its own, gone when the test ends. */
export interface TestServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly outputDir: string;
  readonly redis: { readonly url: string; readonly pid: number };
  readonly accounts: AccountStore;
  readonly running: RunningServer;
  /** A new account's key. */
  key(plan: PlanId): Promise<string>;
  /** Asks, and holds the answer against the OpenAPI document; throws when it does not keep to it. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<CheckedAnswer>;
  /** The same with a body: text goes as it is, anything else as JSON. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<CheckedAnswer>;
  ask(path: string, init: RequestInit): Promise<CheckedAnswer>;
  /** A second server over the same Redis and release, as another process or machine would be. */
  another(settings?: TestSettings): Promise<TestServer>;
}

/** What a test wants otherwise. */
export type TestSettings = Partial<ServerConfig> & {
  /** Whether a small release is there from the start; true by default. */
  readonly withRelease?: boolean;
  /** Where the server's log goes; nowhere by default. */
  readonly log?: Logger;
  /** Parts that stand in the place of the server's own. */
  readonly parts?: Partial<Parts>;
};

/** Starts it. */
export async function runServer(t: Lifetime, settings: TestSettings = {}): Promise<TestServer> {
  const outputDir = settings.outputDir ?? folderFor(t);
  const redis = await newRedisForTest(t);
  if (settings.withRelease !== false) await publishSmallRelease(outputDir);
  return await startOver(t, { outputDir, redis, settings });
}

/** Settings of a server for tests: quiet, on free ports. */
export function testConfig(outputDir: string, redisUrl: string): ServerConfig {
  return {
    ...{ host: '127.0.0.1', port: 0, metricsHost: '127.0.0.1', metricsPort: 0 },
    redis: { url: redisUrl },
    registryDir: REGISTRIES,
    rdapDirs: [],
    ...{ egressDeny: [], allowLoopback: true },
    upstreams: { whoisRoot: 'whois.test-root.example.com', whoisPort: 43, dohResolvers: [] },
    outputDir,
    ...{ trustedProxies: [], dnsServers: [], timeZone: 'UTC', workers: 1 },
    ...{ releasePollMs: 50, logLevel: 'silent' },
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
  const connection = new MeteringRedis({ url: redis.url });
  t.teardown(() => {
    connection.close();
  });
  await connection.ready(5000);
  const accounts = new RedisAccounts(connection, new Calendar(config.timeZone));
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
