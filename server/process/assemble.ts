import type { Logger } from 'pino';
import type { ServerConfig } from '../config.js';
import { openLedger } from '../ledger/ledger.js';
import type { MemoryUse } from '../ledger/redis-memory.js';
import type { PipelineParts } from '../http/request-pipeline.js';
import type { LiveFigures } from '../metrics/live-metrics.js';
import type { Nodes } from '../nodes/open-nodes.js';
import type { Parts } from '../parts.js';
import { CountryNames } from '../../pipeline/record/language.js';
import { IpRecords } from '../lookup/ip-record.js';
import { ReleaseHistory } from '../release/release-history.js';
import { ServedReleases } from '../release/serve-releases.js';
import { openLiveParts } from './live-parts.js';
import { readReservedSpace } from '../targets/reserved-space.js';

/** All parts of a server process. */
export interface Assembled extends Parts, Pick<PipelineParts, 'accounts' | 'meter'> {
  readonly releases: ServedReleases;
  readonly probeNodes: Nodes;
  readonly figures: LiveFigures;
  /** Returns the number of releases refused since the start. */
  readonly refusedCount: () => number;
  readonly isRedisUp: () => boolean;
  readonly redisServers: () => number;
  readonly redisMemory: () => MemoryUse | undefined;
  close(): Promise<void>;
}

/** How long the start waits for Redis. Calls without credits are answered without Redis. */
const REDIS_PATIENCE_MS = 2000;

/** Creates all parts and loads the current release, if there is one. */
export async function assemble(config: ServerConfig, log: Logger): Promise<Assembled> {
  const reserved = await readReservedSpace(config.registryDir);
  const { releases, refusedCount, logNextRelease } = watchReleases(config, log);
  const ledger = openLedger({
    redis: config.redis,
    timeZone: config.timeZone,
    log: (line) => {
      log.warn(line);
    },
  });
  await Promise.all([releases.start(), ledger.ready(REDIS_PATIENCE_MS)]);
  logNextRelease();
  const live = openLiveParts(config, { reserved, isMemoryTight: () => ledger.isMemoryTight(), log });
  const history = new ReleaseHistory(config.outputDir);
  const { accounts, meter, usage, downloads, probeTargets } = ledger;
  return {
    ...live,
    releases,
    refusedCount,
    accounts,
    meter,
    usage,
    downloads,
    probeTargets,
    refusedPorts: new Set(config.probeDenyPorts),
    history,
    records: new IpRecords({ reserved, countries: new CountryNames() }),
    reserved,
    isRedisUp: () => ledger.isReady(),
    redisServers: () => ledger.servers(),
    redisMemory: () => ledger.memory(),
    close: async () => {
      await Promise.all([releases.stop(), live.close(), history.close()]);
      // Aborted calls and probes have not settled yet.
      await ledger.refundOpenHolds();
      ledger.close();
    },
  };
}

function watchReleases(
  { outputDir, releasePollMs }: ServerConfig,
  log: Logger,
): { releases: ServedReleases; refusedCount: () => number; logNextRelease: () => void } {
  let refused = 0;
  // The release loaded at the start is named in the start line.
  let level: 'debug' | 'info' = 'debug';
  const releases = new ServedReleases({
    outputDir,
    releasePollMs,
    onServed: ({ id }, loadMs) => {
      log[level](`serving release ${id}, loaded in ${Math.round(loadMs)} ms`);
    },
    onRefused: ({ id = 'current', reason }) => {
      refused++;
      log.error(`refused release ${id}: ${reason}`);
    },
    onError: (error) => {
      log.error({ err: error }, 'cannot check for a new release');
    },
  });
  return { releases, refusedCount: () => refused, logNextRelease: () => (level = 'info') };
}
