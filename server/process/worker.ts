import { AggregatorRegistry } from 'prom-client';
import { openLog } from '../metrics/access-log.js';
import { startServer, type RunningServer } from './start-server.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

/**
 * A worker process of `ipatlas serve --workers`: serves what the primary tells it to, until that says stop or is gone.
 * Signals of a terminal reach all processes at once; the primary passes on what concerns us.
 */
let server: RunningServer | undefined;
let flush = (): void => undefined;

/** prom-client asks for measures on the same channel. */
type Heard = ToWorker | { readonly kind?: undefined };

process.on('message', (message: Heard) => {
  if (message.kind === 'serve') void begin(message);
  else if (message.kind === 'look') server?.look();
  else if (message.kind === 'stop') void end();
});
process.on('disconnect', () => void end());
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('SIGTERM', () => void end());
tell({ kind: 'up' });

async function begin({ config }: Extract<ToWorker, { kind: 'serve' }>): Promise<void> {
  const serverLog = openLog(config.logLevel);
  flush = () => {
    serverLog.flush();
  };
  try {
    server = await startServer(config, serverLog.log);
    AggregatorRegistry.setRegistries([server.metrics.registry]);
    // Its constructor begins to answer the primary's questions.
    new AggregatorRegistry();
    tell({ kind: 'ready', url: server.url, serves: server.serves });
  } catch (error) {
    tell({ kind: 'failed', ...describe(error) });
  }
}

async function end(): Promise<void> {
  await server?.stop();
  flush();
  process.exit(0);
}

function tell(message: FromWorker): void {
  process.send?.(message);
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
