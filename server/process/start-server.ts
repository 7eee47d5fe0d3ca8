import type { Logger } from 'pino';
import { newApp } from '../app.js';
import type { ServerConfig } from '../config.js';
import { BodiesUnderWay } from '../http/bodies-under-way.js';
import { BodyReader } from '../http/read-body.js';
import type { Readiness } from '../http/pages.js';
import { clientAddressOf } from '../http/client-address.js';
import { drain, listen, newHttpServer } from '../http/listener.js';
import { newRequestIds } from '../http/request-id.js';
import { CLOSED_HEADERS, windowHeaders } from '../http/response-headers.js';
import type { WebSocketEndpoint } from '../http/upgrades.js';
import { keylessSubject, sourceOf } from '../ledger/subject.js';
import { exchangeObserver, toolCallObserver } from '../metrics/exchange-log.js';
import { addNodeMetrics } from '../nodes/node-counts.js';
import { CONNECT_PATH } from '../nodes/protocol.js';
import { addLiveMetrics } from '../metrics/live-metrics.js';
import { ServerMetrics } from '../metrics/server-metrics.js';
import { siteOf } from '../pages/catalogue.js';
import { mcp } from '../mcp/mcp-route.js';
import { routesOf } from '../routes/catalogue.js';
import type { Parts } from '../parts.js';
import type { ServedReleases } from '../release/serve-releases.js';
import { assemble, type Assembled } from './assemble.js';
import { limitedConnections } from './limited-connections.js';

/** How long running requests may continue after a stop signal. */
export const DRAIN_MS = 25_000;

/** A running server process. */
export interface RunningServer {
  readonly url: string;
  /** The current release with its datasets, or why there is none, for the log. */
  readonly serves: string;
  readonly metrics: ServerMetrics;
  /** Checks for a new release. */
  look(): void;
  /** Stops accepting requests, finishes the running ones, and closes all resources. */
  stop(capMs?: number): Promise<void>;
}

/**
 * Creates all parts, loads the current release and listens. Rejects with the system error when it cannot listen. Tests
 * replace parts by `replaced`.
 */
export async function startServer(
  config: ServerConfig,
  log: Logger,
  replaced: Partial<Parts> = {},
): Promise<RunningServer> {
  const parts = { ...(await assemble(config, log)), ...replaced };
  const { releases, probeNodes } = parts;
  let isDraining = false;
  const metrics = metricsOf(parts);
  const clientAddress = clientAddressOf(config.trustedProxies);
  const routes = routesOf(parts);
  const observe = toolCallObserver(log, metrics);
  const bodies = new BodyReader(new BodiesUnderWay());
  const app = newApp({
    accounts: parts.accounts,
    meter: parts.meter,
    currentSnapshot: releases.current,
    observer: exchangeObserver(log, metrics),
    bodies,
    clientAddress,
    isDraining: () => isDraining,
    routes,
    unlisted: [mcp({ ...parts, bodies, routes, observe, currentSnapshot: releases.current })],
    ...(config.hasPages && { site: siteOf(parts, config) }),
    readiness: () => readinessOf(parts, isDraining),
    onStray: (error) => {
      logStray(log, error);
    },
  });
  const limits = limitedConnections(config, { log, registry: metrics.registry });
  const server = newHttpServer(app, { ...limits, webSockets: nodeUpgrades(parts, clientAddress) });
  const stop = async (capMs = DRAIN_MS): Promise<void> => {
    isDraining = true;
    await Promise.all([drain(server, capMs), probeNodes.drain(capMs)]);
    await parts.close();
  };
  try {
    const url = await listen(server, config.port, config.host);
    return {
      url,
      serves: describe(releases, config),
      metrics,
      look: () => void releases.look(),
      stop,
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

function readinessOf({ releases, isRedisUp }: Assembled, isDraining: boolean): Readiness {
  return {
    isDraining,
    release: releases.current()?.id,
    refused: releases.refusal(),
    isRedisUp: isRedisUp(),
  };
}

function metricsOf(parts: Assembled): ServerMetrics {
  const { releases, refusedCount, isRedisUp, redisServers, redisMemory, probeNodes, figures } = parts;
  const metrics = new ServerMetrics(() => ({
    release: releases.current(),
    refusedReleases: refusedCount(),
    refusal: releases.refusal(),
    isRedisUp: isRedisUp(),
    redisServers: redisServers(),
    redisMemory: redisMemory(),
  }));
  addNodeMetrics(metrics.registry, probeNodes.counts, () => probeNodes.connected());
  addLiveMetrics(metrics.registry, figures);
  return metrics;
}

/** Returns the endpoint of probe nodes. Nodes without an address share one limit. */
export function nodeUpgrades(
  { probeNodes, meter }: Pick<Assembled, 'probeNodes' | 'meter'>,
  addressOf: ReturnType<typeof clientAddressOf>,
): WebSocketEndpoint {
  const requestId = newRequestIds();
  return {
    path: CONNECT_PATH,
    accept: (req, socket, head) => {
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
      probeNodes.accept(req, socket, { head, source: sourceOf(client), headers });
    },
  };
}

/** Returns `release 20261121T…-… (mmdb, asn, isp)`, or why there is none. */
function describe(releases: ServedReleases, { store }: Pick<ServerConfig, 'store'>): string {
  const snapshot = releases.current();
  if (snapshot !== undefined) {
    const datasets = [...snapshot.datasets.keys()].join(', ');
    return `release ${snapshot.id} (${datasets === '' ? 'no datasets to download' : datasets})`;
  }
  const refusal = releases.refusal();
  const source = store ? `comes from the store ${store.url}` : 'is built ("make build-data")';
  return refusal === undefined
    ? `no release until one ${source}`
    : `no release, because ${refusal.id ?? 'current'} was refused: ${refusal.reason}`;
}

/** Logs an error outside any answer. System errors, such as ECONNRESET, are broken connections. */
function logStray(log: Logger, error: unknown): void {
  if (error instanceof Error && 'code' in error) log.debug({ err: error }, 'connection broken');
  else log.error({ err: error }, 'internal error');
}
