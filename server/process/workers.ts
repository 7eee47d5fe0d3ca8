import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import type { ServerConfig } from '../config.js';
import { DRAIN_MS } from './start-server.js';
import { readFromWorker, type FromWorker, type ToWorker } from './worker-messages.js';

/** Delay before a dead worker is replaced. Doubles each time; resets after a worker has lived `longEnough`. */
const BACK_OFF_MS = { first: 200, most: 30_000, longEnough: 60_000 } as const;

/** The worker processes as one server. */
export interface Workers {
  readonly url: string;
  readonly serves: string;
  renderMetrics(): Promise<string>;
  look(): void;
  stop(): Promise<void>;
}

/** Starts the workers, the first one alone. Rejects with the error of a worker that cannot start. */
export async function startWorkers(config: ServerConfig, log: Logger): Promise<Workers> {
  cluster.setupPrimary({ exec: new URL('./worker.js', import.meta.url).pathname, args: [] });
  const aggregator = new AggregatorRegistry();
  const pool = new WorkerPool(config, log);
  try {
    const { url, serves } = await pool.startAll();
    return {
      url,
      serves,
      renderMetrics: () => aggregator.clusterMetrics(),
      look: () => {
        pool.sendAll({ kind: 'look' });
      },
      stop: () => pool.stop(),
    };
  } catch (error) {
    await pool.stop();
    throw error;
  }
}

type Ready = Extract<FromWorker, { kind: 'ready' }>;

class WorkerPool {
  readonly #workers = new Set<Worker>();
  readonly #stopping = new AbortController();
  #backOffMs: number = BACK_OFF_MS.first;

  constructor(
    private readonly config: ServerConfig,
    private readonly log: Logger,
  ) {}

  /** Starts the first worker, then all others in parallel. An error that affects all of them is reported once. */
  async startAll(): Promise<Ready> {
    const first = await this.#start();
    const others = Array.from({ length: this.config.workers - 1 }, () => this.#start());
    await Promise.all(others);
    return first;
  }

  sendAll(message: ToWorker): void {
    for (const worker of this.#workers) send(worker, message);
  }

  /** Stops all workers. Kills those that do not end in time. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const ended = [...this.#workers].map((worker) => once(worker, 'exit'));
    this.sendAll({ kind: 'stop' });
    const late = setTimeout(() => {
      for (const worker of this.#workers) worker.process.kill('SIGKILL');
    }, DRAIN_MS + 2000);
    await Promise.all(ended);
    clearTimeout(late);
  }

  async #start(): Promise<Ready> {
    const worker = cluster.fork();
    const startedMs = Date.now();
    this.#workers.add(worker);
    // A message to a worker that has just died. The exit handler replaces it.
    worker.on('error', (error) => {
      this.log.debug({ err: error }, 'cannot send a message to a worker process');
    });
    worker.once('exit', (code: number, signal: string | null) => {
      this.#workers.delete(worker);
      if (!this.#stopping.signal.aborted) void this.#replace(worker, { startedMs, how: signal ?? code });
    });
    return await startIn(worker, this.config);
  }

  async #replace(
    worker: Worker,
    { startedMs, how }: { startedMs: number; how: string | number },
  ): Promise<void> {
    if (Date.now() - startedMs > BACK_OFF_MS.longEnough) this.#backOffMs = BACK_OFF_MS.first;
    const waitMs = this.#backOffMs;
    this.#backOffMs = Math.min(waitMs * 2, BACK_OFF_MS.most);
    this.log.error(
      `worker process ${worker.process.pid ?? 0} ended (${how}); a new one starts in ${waitMs} ms`,
    );
    try {
      await sleep(waitMs, undefined, { signal: this.#stopping.signal, ref: false });
      await this.#start();
    } catch (error) {
      // A worker that cannot start ends, and its exit handler starts the next one.
      if (!this.#stopping.signal.aborted) this.log.error({ err: error }, 'a worker process did not start');
    }
  }
}

function send(worker: Worker, message: ToWorker): void {
  // A worker that has just died is replaced anyway.
  if (worker.isConnected()) worker.send(message);
}

/** Starts the server of a worker and waits for it. Rejects with the worker's error, and kills the worker. */
async function startIn(worker: Worker, config: ServerConfig): Promise<Ready> {
  return await new Promise((resolve, reject) => {
    worker.once('exit', (code: number, signal: string | null) => {
      reject(new Error(`a worker process ended (${signal ?? code}) during its start`));
    });
    worker.on('message', (message: unknown) => {
      const received = readFromWorker(message);
      if (received?.kind === 'up') send(worker, { kind: 'serve', config });
      if (received?.kind === 'ready') resolve(received);
      if (received?.kind !== 'failed') return;
      reject(Object.assign(new Error(received.message), received));
      worker.process.kill('SIGKILL');
    });
  });
}
