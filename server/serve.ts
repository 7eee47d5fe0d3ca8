import type { Logger } from 'pino';
import type { ServerConfig } from './config.js';
import { listen } from './http/listener.js';
import { addLogMetrics, openLog, type ServerLog } from './metrics/access-log.js';
import { newMetricsServer } from './metrics/metrics-listener.js';
import { followStore, type Service } from './process/follow-store.js';
import { ServeError } from './process/serve-error.js';
import { listenForStops, type Stops } from './process/stop-signals.js';
import { startServer } from './process/start-server.js';
import { startWorkers } from './process/workers.js';

export { ServeError } from './process/serve-error.js';

/** The running server, in one process or several. */
interface Running extends Service {
  readonly url: string;
  readonly serves: string;
}

/**
 * Runs the server until SIGTERM or SIGINT, then finishes running requests. A second signal exits at once. SIGHUP checks
 * for a new release, also in the store. `redisName` is for the log. Throws ServeError when the server cannot listen.
 */
export async function serve(config: ServerConfig, redisName: string): Promise<void> {
  const serverLog = openLog(config.logLevel);
  const { log } = serverLog;
  // A signal during the start takes effect after it: the first of several processes may be answering by then.
  const stops = listenForStops();
  const starting = start(config, serverLog);
  const look = (): void => {
    starting.then(
      (service) => {
        service.look();
      },
      () => undefined,
    );
  };
  process.on('SIGHUP', look);
  try {
    await untilStopped(config, redisName, { service: await starting, log, stops });
  } catch (error) {
    // A terminal sends SIGINT to all processes, also to one that does not listen for it yet.
    if (!stops.isStopped) throw ServeError.of(error, config);
    log.info('stopped during the start');
  } finally {
    process.off('SIGHUP', look);
    stops.dispose();
    serverLog.flush();
  }
}

async function start(config: ServerConfig, serverLog: ServerLog): Promise<Running> {
  const { log } = serverLog;
  const service = config.workers > 1 ? await startWorkers(config, log) : await startAlone(config, serverLog);
  return followStore(service, config, log);
}

async function startAlone(config: ServerConfig, serverLog: ServerLog): Promise<Running> {
  const server = await startServer(config, serverLog.log);
  addLogMetrics(server.metrics.registry, serverLog);
  return {
    ...server,
    renderMetrics: () => server.metrics.registry.metrics(),
  };
}

async function untilStopped(
  config: ServerConfig,
  redisName: string,
  { service, log, stops }: { readonly service: Running; readonly log: Logger; readonly stops: Stops },
): Promise<void> {
  const metrics = newMetricsServer(() => service.renderMetrics());
  try {
    const metricsUrl = await listen(metrics, config.metricsPort, config.metricsHost);
    const processes = config.workers === 1 ? '' : `, ${config.workers} processes`;
    log.info(
      `listening on ${service.url}, serving ${service.serves}; accounts in ${redisName}, metrics at ${metricsUrl}/metrics${processes}`,
    );
    log.info(`received ${await stops.first}, finishing running requests`);
  } finally {
    metrics.close();
    metrics.closeAllConnections();
    await service.stop();
  }
}
