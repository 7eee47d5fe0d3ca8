import type { Logger } from 'pino';
import type { ServerConfig } from '../config.js';
import { openLedger } from '../accounts/ledger.js';
import type { FrameParts } from '../http/frame.js';
import type { LiveFigures } from '../metrics/live-metrics.js';
import type { Nodes } from '../nodes/open-nodes.js';
import type { Parts } from '../parts.js';
import { CountryNames } from '../lookup/country-names.js';
import { IpRecords } from '../lookup/ip-record.js';
import { ServedReleases } from '../release/serve-releases.js';
import { openLiveParts } from './live-parts.js';
import { readReservedSpace } from '../targets/reserved-space.js';

/** Everything that lives as long as a process serves. */
export interface Assembled extends Parts, Pick<FrameParts, 'accounts' | 'meter'> {
  readonly releases: ServedReleases;
  readonly probeNodes: Nodes;
  readonly figures: LiveFigures;
  /** How many releases were refused since the start. */
  readonly refusedCount: () => number;
  readonly isRedisUp: () => boolean;
  close(): Promise<void>;
}

/** How long the first requests may wait for Redis. Without it those who pay nothing are served all the same. */
const REDIS_PATIENCE_MS = 2000;

/** Makes all parts, and loads the release that is current; there may be none yet. */
export async function assemble(config: ServerConfig, log: Logger): Promise<Assembled> {
  const reserved = await readReservedSpace(config.registryDir);
  const { releases, refusedCount, sayServed } = watchReleases(config, log);
  const ledger = openLedger({
    redis: config.redis,
    timeZone: config.timeZone,
    log: (line) => {
      log.warn(line);
    },
  });
  await Promise.all([releases.start(), ledger.ready(REDIS_PATIENCE_MS)]);
  sayServed();
  const live = openLiveParts(config, reserved, log);
  const { accounts, meter, usage, downloads } = ledger;
  return {
    ...live,
    ...{ releases, refusedCount, accounts, meter, usage, downloads },
    records: new IpRecords({ reserved, countries: new CountryNames() }),
    reserved,
    isRedisUp: () => ledger.isReady(),
    close: async () => {
      await Promise.all([releases.stop(), live.close()]);
      // Calls that were cut off, and probes that were ended just now, have not settled yet.
      await ledger.giveBack();
      ledger.close();
    },
  };
}

function watchReleases(
  { outputDir, releasePollMs }: ServerConfig,
  log: Logger,
): { releases: ServedReleases; refusedCount: () => number; sayServed: () => void } {
  let refused = 0;
  // What is served at the start stands in the line about the start.
  let level: 'debug' | 'info' = 'debug';
  const releases = new ServedReleases({
    outputDir,
    releasePollMs,
    onServed: ({ id }, loadMs) => {
      log[level](`release ${id} is served, loaded in ${Math.round(loadMs)} ms`);
    },
    onRefused: ({ id = 'current', reason }) => {
      refused++;
      log.error(`release ${id} is refused: ${reason}`);
    },
    onError: (error) => {
      log.error({ err: error }, 'the releases could not be looked at');
    },
  });
  return { releases, refusedCount: () => refused, sayServed: () => (level = 'info') };
}
