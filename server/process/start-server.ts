import type { Logger } from 'pino';
import { newApp } from '../app.js';
import type { ServerConfig } from '../config.js';
import { clientAddressOf } from '../http/client-address.js';
import { drain, listen, newHttpServer } from '../http/listener.js';
import { exchangeObserver } from '../metrics/exchange-log.js';
import { ServerMetrics } from '../metrics/server-metrics.js';
import { routesOf } from '../routes/catalogue.js';
import type { ServedReleases } from '../release/serve-releases.js';
import { assemble } from './assemble.js';

/** How long running requests may go on after the server was told to stop. */
export const DRAIN_MS = 25_000;

/** One process that serves. */
export interface RunningServer {
  readonly url: string;
  /** What it serves, in words: a release and its datasets, or why there is none. */
  readonly serves: string;
  readonly metrics: ServerMetrics;
  /** Looks for a new release now. */
  look(): void;
  /** Takes no more requests, ends the running ones, lets go of everything. */
  stop(capMs?: number): Promise<void>;
}

/** Builds everything, loads the release and listens. Rejects with what the system says about the port. */
export async function startServer(config: ServerConfig, log: Logger): Promise<RunningServer> {
  const parts = await assemble(config, log);
  const { releases, refusedCount, isRedisUp } = parts;
  let isDraining = false;
  const metrics = new ServerMetrics(() => ({
    release: releases.current(),
    refusedReleases: refusedCount(),
    isRedisUp: isRedisUp(),
  }));
  const app = newApp({
    accounts: parts.accounts,
    meter: parts.meter,
    currentSnapshot: releases.current,
    observer: exchangeObserver(log, metrics),
    clientAddress: clientAddressOf(config.trustedProxies),
    isDraining: () => isDraining,
    routes: routesOf(parts),
    readiness: () => ({
      isDraining,
      release: releases.current()?.id,
      refused: releases.refusal(),
      isRedisUp: isRedisUp(),
    }),
    onStray: (error) => {
      log.debug({ err: error }, 'a connection broke off');
    },
  });
  const server = newHttpServer(app);
  const stop = async (capMs = DRAIN_MS): Promise<void> => {
    isDraining = true;
    await drain(server, capMs);
    await parts.close();
  };
  try {
    const url = await listen(server, config.port, config.host);
    return {
      url,
      serves: describe(releases),
      metrics,
      look: () => {
        void releases.look();
      },
      stop,
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** `release 20261121T…-… (mmdb, asn, isp)`, or why there is none. */
function describe(releases: ServedReleases): string {
  const snapshot = releases.current();
  if (snapshot !== undefined) {
    const datasets = [...snapshot.datasets.keys()].join(', ');
    return `release ${snapshot.id} (${datasets === '' ? 'no datasets for download' : datasets})`;
  }
  const refusal = releases.refusal();
  return refusal === undefined
    ? 'no release yet: it waits for one ("make build-data" makes one)'
    : `no release: ${refusal.id ?? 'current'} is refused: ${refusal.reason}`;
}
