import { newApp } from '../app.js';
import type { ServerConfig } from '../config.js';
import { BodiesUnderWay } from '../http/bodies-under-way.js';
import { BodyReader } from '../http/read-body.js';
import { clientAddressOf } from '../http/client-address.js';
import { listen, newHttpServer } from '../http/listener.js';
import { openLog } from '../metrics/access-log.js';
import { exchangeObserver } from '../metrics/exchange-log.js';
import { ServerMetrics } from '../metrics/server-metrics.js';
import type { DownloadMeter } from '../ledger/meters/download-meter.js';
import type { Subject } from '../ledger/subject.js';
import type { Admission, Meter } from '../ledger/meters/meter.js';
import { siteOf } from '../pages/catalogue.js';
import { assemble } from '../process/assemble.js';
import { limitedConnections } from '../process/limited-connections.js';
import { nodeUpgrades } from '../process/start-server.js';
import { routesOf } from '../routes/catalogue.js';
import { answerFigures, measuredTask } from '../testing/measured-process.js';

/** The server of a benchmark. */
export interface ServedTask {
  readonly config: ServerConfig;
  /** Whether calls are counted in Redis. Otherwise every call is admitted immediately. */
  readonly isMetered: boolean;
}

/** More requests than a benchmark makes. The counts of a minute still fit into a reply of Redis. */
const PLENTY = 1_000_000_000;

/** Runs the server in its own process, with limits that no benchmark reaches. */
const { config, isMetered } = await measuredTask<ServedTask>();
const { log } = openLog(config.logLevel);
const parts = await assemble(config, log);
const { releases, refusedCount, isRedisUp } = parts;
const metrics = new ServerMetrics(() => ({
  release: releases.current(),
  refusedReleases: refusedCount(),
  redisServers: 1,
  isRedisUp: isRedisUp(),
}));
const clientAddress = clientAddressOf(config.trustedProxies);
const app = newApp({
  accounts: parts.accounts,
  meter: isMetered ? generous(parts.meter) : absent(),
  currentSnapshot: releases.current,
  observer: exchangeObserver(log, metrics),
  bodies: new BodyReader(new BodiesUnderWay()),
  clientAddress,
  isDraining: () => false,
  routes: routesOf({ ...parts, downloads: neverSpent(parts.downloads) }),
  readiness: () => ({
    isDraining: false,
    release: releases.current()?.id,
    refused: releases.refusal(),
    redisServers: 1,
    isRedisUp: isRedisUp(),
  }),
  onStray: () => undefined,
  ...(config.hasPages && { site: siteOf(parts, config) }),
});
const server = newHttpServer(app, {
  ...limitedConnections(config, { log, registry: metrics.registry }),
  webSockets: nodeUpgrades(parts, clientAddress),
});
answerFigures(await listen(server, config.port, config.host));

/** Returns the meter in Redis with limits of PLENTY requests and credits. */
function generous(meter: Meter): Meter {
  const known = new Map<string, Subject>();
  const raised = (subject: Subject): Subject => {
    const name = `${subject.bucket}:${subject.id}`;
    let found = known.get(name);
    if (found === undefined) known.set(name, (found = withPlenty(subject)));
    return found;
  };
  return {
    knownRefusal: (subject) => meter.knownRefusal(raised(subject)),
    peek: (subject) => meter.peek(raised(subject)),
    count: (subject) => meter.count(raised(subject)),
    charge: (subject, price) => meter.charge(raised(subject), price),
    chargeCounted: (subject, price) => meter.chargeCounted(raised(subject), price),
    reserve: (subject, price) => meter.reserve(raised(subject), price),
    reserveCounted: (subject, price) => meter.reserveCounted(raised(subject), price),
  };
}

function withPlenty(subject: Subject): Subject {
  return {
    ...subject,
    requestsPerMinute: PLENTY,
    ...(subject.requestsPerDay !== undefined && { requestsPerDay: PLENTY }),
    ...(subject.creditsPerMonth !== undefined && { creditsPerMonth: PLENTY }),
  };
}

function absent(): Meter {
  const admitted = Promise.resolve<Admission>({
    window: { limit: PLENTY, remaining: PLENTY, reset: 1_800_000_000 },
  });
  return {
    knownRefusal: () => undefined,
    peek: () => admitted,
    count: () => admitted,
    charge: () => admitted,
    chargeCounted: () => admitted,
    reserve: () => admitted,
    reserveCounted: () => admitted,
  };
}

/** Returns the download meter in Redis. Each download counts for another account. */
function neverSpent(meter: DownloadMeter): DownloadMeter {
  let account = PLENTY;
  return { take: (_, dataset) => meter.take(account++, dataset) };
}
