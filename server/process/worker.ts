import { AggregatorRegistry } from 'prom-client';
import { addLogMetrics, openLog } from '../metrics/access-log.js';
import { startServer, type RunningServer } from './start-server.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

/** Messages on the channel. prom-client requests metrics on it, too. */
type Incoming = ToWorker | { readonly kind?: undefined };

/** The server of this process, controlled by messages of the primary. */
class WorkerServer {
  #server: RunningServer | undefined;
  #flush = (): void => undefined;
  #ending: Promise<void> | undefined;

  receive(message: Incoming): void {
    if (message.kind === 'serve') void this.#begin(message);
    else if (message.kind === 'look') this.#server?.look();
    else if (message.kind === 'stop') void this.end();
  }

  /** Sends a message to the primary. Ends this process when the primary is gone. */
  send(message: FromWorker): void {
    process.send?.(message, undefined, undefined, (error: Error | null) => {
      if (error !== null) void this.end();
    });
  }

  /** Finishes running requests and exits. */
  end(): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  async #begin({ config }: Extract<ToWorker, { kind: 'serve' }>): Promise<void> {
    const serverLog = openLog(config.logLevel);
    this.#flush = () => {
      serverLog.flush();
    };
    try {
      const server = await startServer(config, serverLog.log);
      this.#server = server;
      addLogMetrics(server.metrics.registry, serverLog);
      AggregatorRegistry.setRegistries([server.metrics.registry]);
      // The constructor starts answering the primary's requests for metrics.
      new AggregatorRegistry();
      this.send({ kind: 'ready', url: server.url, serves: server.serves });
    } catch (error) {
      this.send({ kind: 'failed', ...describe(error) });
    }
  }

  async #end(): Promise<void> {
    await this.#server?.stop();
    this.#flush();
    process.exit(0);
  }
}

/** Returns the fields of an error that the primary needs. */
function describe(error: unknown): Omit<Extract<FromWorker, { kind: 'failed' }>, 'kind'> {
  if (!(error instanceof Error)) return { message: String(error) };
  // node:cluster sets the address to null when no host was configured.
  const { message, code, port, address } = error as Error & Readonly<Record<string, unknown>>;
  return {
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof port === 'number' ? { port } : {}),
    ...(typeof address === 'string' ? { address } : {}),
  };
}

/**
 * A worker process of `ipatlas serve --workers`. Runs until the primary stops it or is gone. Signals of a terminal
 * reach all processes at once, so workers ignore them and follow the primary.
 */
const worker = new WorkerServer();
process.on('message', (message: Incoming) => {
  worker.receive(message);
});
process.on('disconnect', () => void worker.end());
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('SIGTERM', () => void worker.end());
worker.send({ kind: 'up' });
