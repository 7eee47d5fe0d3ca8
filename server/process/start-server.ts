import type { Logger } from 'pino';
import { newApp } from '../app.js';
import type { ServerConfig } from '../config.js';
import { clientAddressOf, sourceOf } from '../http/client-address.js';
import { drain, listen, newHttpServer, takeUpgrades, type WebSocketDoor } from '../http/listener.js';
import { newRequestIds } from '../http/request-id.js';
import { CLOSED_HEADERS, windowHeaders } from '../http/response-headers.js';
import { keylessSubject } from '../http/subject.js';
import { exchangeObserver } from '../metrics/exchange-log.js';
import { addNodeMetrics } from '../nodes/node-counts.js';
import { CONNECT_PATH } from '../nodes/protocol.js';
import { addLiveMetrics } from '../metrics/live-metrics.js';
import { ServerMetrics } from '../metrics/server-metrics.js';
import { routesOf } from '../routes/catalogue.js';
import type { Parts } from '../parts.js';
import type { ServedReleases } from '../release/serve-releases.js';
import { assemble, type Assembled } from './assemble.js';

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

/**
 * Builds everything, loads the release and listens. Rejects with what the system says about the port. Tests put parts
 * of their own in the place of some.
 */
export async function startServer(
  config: ServerConfig,
  log: Logger,
  replaced: Partial<Parts> = {},
): Promise<RunningServer> {
  const parts = { ...(await assemble(config, log)), ...replaced };
  const { releases, probeNodes, isRedisUp } = parts;
  let isDraining = false;
  const metrics = metricsOf(parts);
  const clientAddress = clientAddressOf(config.trustedProxies);
  const app = newApp({
    accounts: parts.accounts,
    meter: parts.meter,
    currentSnapshot: releases.current,
    observer: exchangeObserver(log, metrics),
    clientAddress,
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
  takeUpgrades(server, app, nodeUpgrades(parts, clientAddress));
  const stop = async (capMs = DRAIN_MS): Promise<void> => {
    isDraining = true;
    await Promise.all([drain(server, capMs), probeNodes.drain(capMs)]);
    await parts.close();
  };
  try {
    const url = await listen(server, config.port, config.host);
    return {
      ...{ url, serves: describe(releases), metrics, stop },
      look: () => {
        void releases.look();
      },
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

function metricsOf({ releases, refusedCount, isRedisUp, probeNodes, figures }: Assembled): ServerMetrics {
  const metrics = new ServerMetrics(() => ({
    release: releases.current(),
    refusedReleases: refusedCount(),
    isRedisUp: isRedisUp(),
  }));
  addNodeMetrics(metrics.registry, probeNodes.counts, () => probeNodes.connected());
  addLiveMetrics(metrics.registry, figures);
  return metrics;
}

/** Where probe nodes come in; one that has no address is counted with the others that have none. */
export function nodeUpgrades(
  { probeNodes, meter }: Pick<Assembled, 'probeNodes' | 'meter'>,
  addressOf: ReturnType<typeof clientAddressOf>,
): WebSocketDoor {
  const requestId = newRequestIds();
  return {
    path: CONNECT_PATH,
    enter: (req, socket, head) => {
      const client = addressOf(req) ?? '';
      const headers = async (): Promise<readonly string[]> => {
        const { window } = await meter.peek(keylessSubject(client, 'public'));
        return [
          ...CLOSED_HEADERS,
          'X-Request-Id',
          requestId(req.headers['x-request-id']),
          ...windowHeaders(window),
        ];
      };
      probeNodes.enter(req, socket, { head, source: sourceOf(client), headers });
    },
  };
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
