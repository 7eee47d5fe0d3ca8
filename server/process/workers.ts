import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import type { ServerConfig } from '../config.js';
import { DRAIN_MS } from './start-server.js';
import { readFromWorker, type FromWorker, type ToWorker } from './worker-messages.js';

/** Before a worker that died is replaced: doubled each time, and begun anew when one has lived long enough. */
const BACK_OFF_MS = { first: 200, most: 30_000, longEnough: 60_000 } as const;

/** The worker processes as one service. */
export interface Workers {
  readonly url: string;
  readonly serves: string;
  renderMetrics(): Promise<string>;
  look(): void;
  stop(): Promise<void>;
}

/** Starts the workers and waits for the first one, then for the others. Rejects with what the first could not do. */
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
        pool.tellAll({ kind: 'look' });
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

  /** One by one would take long, and all at once would say the same error many times: the first goes ahead. */
  async startAll(): Promise<Ready> {
    const first = await this.#start();
    const others = Array.from({ length: this.config.workers - 1 }, () => this.#start());
    await Promise.all(others);
    return first;
  }

  tellAll(message: ToWorker): void {
    for (const worker of this.#workers) tell(worker, message);
  }

  /** Workers that do not end in time are killed. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const ended = [...this.#workers].map((worker) => once(worker, 'exit'));
    this.tellAll({ kind: 'stop' });
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
    // A message to one that has just died; its exit is what counts.
    worker.on('error', (error) => {
      this.log.debug({ err: error }, 'a process cannot be told');
    });
    worker.once('exit', (code: number, signal: string | null) => {
      this.#workers.delete(worker);
      if (!this.#stopping.signal.aborted) void this.#replace(worker, { startedMs, how: signal ?? code });
    });
    return await firstWord(worker, this.config);
  }

  async #replace(
    worker: Worker,
    { startedMs, how }: { startedMs: number; how: string | number },
  ): Promise<void> {
    if (Date.now() - startedMs > BACK_OFF_MS.longEnough) this.#backOffMs = BACK_OFF_MS.first;
    const waitMs = this.#backOffMs;
    this.#backOffMs = Math.min(waitMs * 2, BACK_OFF_MS.most);
    this.log.error(`process ${worker.process.pid ?? 0} ended (${how}); another one starts in ${waitMs} ms`);
    try {
      await sleep(waitMs, undefined, { signal: this.#stopping.signal, ref: false });
      await this.#start();
    } catch (error) {
      // One that does not come up ends, and is replaced in its turn.
      if (!this.#stopping.signal.aborted) this.log.error({ err: error }, 'a process did not start');
    }
  }
}

function tell(worker: Worker, message: ToWorker): void {
  // One that has just died is replaced anyway.
  if (worker.isConnected()) worker.send(message);
}

/** Sets a worker to work: what it comes to. Rejects when it could not start, and ends it. */
async function firstWord(worker: Worker, config: ServerConfig): Promise<Ready> {
  return await new Promise((resolve, reject) => {
    worker.once('exit', (code: number, signal: string | null) => {
      reject(new Error(`a server process ended (${signal ?? code}) before it served`));
    });
    worker.on('message', (message: unknown) => {
      const word = readFromWorker(message);
      if (word?.kind === 'up') tell(worker, { kind: 'serve', config });
      if (word?.kind === 'ready') resolve(word);
      if (word?.kind !== 'failed') return;
      reject(Object.assign(new Error(word.message), word));
      worker.process.kill('SIGKILL');
    });
  });
}
