import type { ServerConfig } from './config.js';
import { listen } from './http/listener.js';
import { openLog, type ServerLog } from './metrics/access-log.js';
import { newMetricsServer } from './metrics/metrics-listener.js';
import { ServeError } from './process/serve-error.js';
import { listenForStops } from './process/stop-signals.js';
import { startServer } from './process/start-server.js';
import { startWorkers } from './process/workers.js';

export { ServeError } from './process/serve-error.js';

/** What answers, in one process or many. */
interface Service {
  readonly url: string;
  readonly serves: string;
  /** Measures of all processes as Prometheus reads them. */
  renderMetrics(): Promise<string>;
  look(): void;
  /** Ends running requests first. */
  stop(): Promise<void>;
}

/**
 * Serves until a signal ends it: SIGTERM and SIGINT end running requests first, a second one ends the process there and
 * then; SIGHUP looks for a new release. `redisName` is for the log. Throws ServeError when it cannot listen.
 */
export async function serve(config: ServerConfig, redisName: string): Promise<void> {
  const serverLog = openLog(config.logLevel);
  const { log } = serverLog;
  try {
    const service =
      config.workers > 1 ? await startWorkers(config, log) : await startAlone(config, serverLog);
    await untilStopped(config, redisName, { service, serverLog });
  } catch (error) {
    throw ServeError.of(error, config);
  } finally {
    serverLog.flush();
  }
}

async function startAlone(config: ServerConfig, { log }: ServerLog): Promise<Service> {
  const server = await startServer(config, log);
  return {
    ...server,
    renderMetrics: () => server.metrics.registry.metrics(),
  };
}

async function untilStopped(
  config: ServerConfig,
  redisName: string,
  { service, serverLog: { log } }: { readonly service: Service; readonly serverLog: ServerLog },
): Promise<void> {
  const metrics = newMetricsServer(() => service.renderMetrics());
  const stops = listenForStops();
  const look = (): void => {
    service.look();
  };
  process.on('SIGHUP', look);
  try {
    const metricsUrl = await listen(metrics, config.metricsPort, config.metricsHost);
    const processes = config.workers === 1 ? '' : `, ${config.workers} processes`;
    log.info(
      `${service.url} serves ${service.serves}; accounts in ${redisName}, measures at ${metricsUrl}/metrics${processes}`,
    );
    log.info(`${await stops.first}: ending running requests`);
  } finally {
    process.off('SIGHUP', look);
    metrics.close();
    metrics.closeAllConnections();
    await service.stop();
    stops.dispose();
  }
}
