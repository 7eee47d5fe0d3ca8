import { AggregatorRegistry } from 'prom-client';
import { openLog } from '../metrics/access-log.js';
import { startServer, type RunningServer } from './start-server.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

/** prom-client asks for measures on the same channel. */
type Heard = ToWorker | { readonly kind?: undefined };

/** The server of this process, as the primary tells it to begin, look and end. */
class WorkerServer {
  #server: RunningServer | undefined;
  #flush = (): void => undefined;
  #ending: Promise<void> | undefined;

  hear(message: Heard): void {
    if (message.kind === 'serve') void this.#begin(message);
    else if (message.kind === 'look') this.#server?.look();
    else if (message.kind === 'stop') void this.end();
  }

  /** A primary that cannot be told any more has gone. */
  tell(message: FromWorker): void {
    process.send?.(message, undefined, undefined, (error: Error | null) => {
      if (error !== null) void this.end();
    });
  }

  /** Ends running requests, then the process. */
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
      AggregatorRegistry.setRegistries([server.metrics.registry]);
      // Its constructor begins to answer the primary's questions.
      new AggregatorRegistry();
      this.tell({ kind: 'ready', url: server.url, serves: server.serves });
    } catch (error) {
      this.tell({ kind: 'failed', ...describe(error) });
    }
  }

  async #end(): Promise<void> {
    await this.#server?.stop();
    this.#flush();
    process.exit(0);
  }
}

/** What an error on another process's side is made of. */
function describe(error: unknown): Omit<Extract<FromWorker, { kind: 'failed' }>, 'kind'> {
  if (!(error instanceof Error)) return { message: String(error) };
  // node:cluster says null of an address that was not named.
  const { message, code, port, address } = error as Error & Readonly<Record<string, unknown>>;
  return {
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof port === 'number' ? { port } : {}),
    ...(typeof address === 'string' ? { address } : {}),
  };
}

/**
 * A worker process of `ipatlas serve --workers`: serves what the primary tells it to, until that says stop or is gone.
 * Signals of a terminal reach all processes at once; the primary passes on what concerns us.
 */
const worker = new WorkerServer();
process.on('message', (message: Heard) => {
  worker.hear(message);
});
process.on('disconnect', () => void worker.end());
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('SIGTERM', () => void worker.end());
worker.tell({ kind: 'up' });
