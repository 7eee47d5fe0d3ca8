import { fileURLToPath } from 'node:url';
import { openLedger } from '../ledger/ledger.js';
import type { RedisAddress, ServerConfig } from '../config.js';

/** Returns the settings of a server for benchmarks: as in production, on a free port, behind a local proxy. */
export function benchConfig(outputDir: string, redis: RedisAddress): ServerConfig {
  return {
    host: '127.0.0.1',
    port: 0,
    metricsHost: '127.0.0.1',
    metricsPort: 0,
    redis,
    outputDir,
    trustedProxies: ['127.0.0.1'],
    dnsServers: [],
    maxConnections: 10_000,
    maxConnectionsPerSource: 512,
    timeZone: 'UTC',
    workers: 1,
    rdapDirs: [],
    egressDeny: [],
    probeDenyPorts: [25, 465, 587],
    allowLoopback: false,
    hasPages: true,
    hasReport: false,
    upstreams: { whoisRoot: 'whois.iana.org', whoisPort: 43, dohResolvers: [] },
    registryDir: fileURLToPath(new URL('../../../fixtures/feeds/iana', import.meta.url)),
    releasePollMs: 200,
    ...{ storePollMs: 60_000, keepReleases: 7 },
    logLevel: 'info',
  };
}

/** Creates an account and returns its key. */
export async function enterpriseKey(redis: RedisAddress): Promise<string> {
  const ledger = openLedger({ redis, timeZone: 'UTC' });
  try {
    await ledger.ready(5000);
    const { key } = await ledger.accounts.createKey({ email: 'bench@example.com', plan: 'enterprise' });
    return key;
  } finally {
    ledger.close();
  }
}
