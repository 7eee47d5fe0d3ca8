import type { Redis } from 'ioredis';
import { TIMEOUT_MS } from '../redis-connection.js';

/** Interval between two calls of `tick`. */
export const TICK_MS = 50;
const CLOCK_TICKS = 5;
const SILENT_TICKS = TIMEOUT_MS / TICK_MS;

/**
 * Watches the connection to a master of a cluster. Reads its clock several times a second, and closes the connection
 * when there is no reply.
 */
export class MasterWatch {
  #clockAheadMs: number | undefined;
  #reading: Promise<void> | undefined;
  /** Ticks since the clock was asked for. */
  #ticks = 0;

  constructor(private readonly node: Redis) {
    node.on('ready', this.#onReady);
    node.on('close', this.#onClose);
    this.#connect();
  }

  /** Whether commands can be sent. */
  get isReady(): boolean {
    return this.node.status === 'ready' && this.#clockAheadMs !== undefined;
  }

  /** Milliseconds that the clock of the master is ahead of this process; undefined while it is unknown. */
  get clockAheadMs(): number | undefined {
    return this.#clockAheadMs;
  }

  /** Counts ticks instead of time: a process that was busy itself has not read the replies yet. */
  tick(): void {
    this.#connect();
    this.#ticks++;
    if (this.#reading === undefined) {
      if (this.node.status === 'ready' && this.#ticks >= CLOCK_TICKS) void this.readClock();
    } else if (this.#ticks >= SILENT_TICKS) {
      this.#ticks = 0;
      this.node.stream.destroy(new Error(`no reply for ${TIMEOUT_MS} ms`));
    }
  }

  /** Measures the offset of the clock. Never rejects. */
  readClock(): Promise<void> {
    return (this.#reading ??= this.#readClock().finally(() => {
      this.#reading = undefined;
    }));
  }

  close(): void {
    this.node.off('ready', this.#onReady);
    this.node.off('close', this.#onClose);
    // A frozen server does not close its end.
    (this.node.stream as Redis['stream'] | undefined)?.destroy();
  }

  async #readClock(): Promise<void> {
    this.#ticks = 0;
    const sent = Date.now();
    try {
      const [seconds, microseconds] = await this.node.time();
      this.#clockAheadMs = Math.round(
        Number(seconds) * 1000 + Number(microseconds) / 1000 - (sent + Date.now()) / 2,
      );
    } catch {
      // The next connection reads the clock again.
      this.#clockAheadMs = undefined;
    }
  }

  /** Connections of a cluster are opened by their first command, which would have to wait. */
  #connect(): void {
    if (this.node.status === 'wait') this.node.connect().catch(() => undefined);
  }

  readonly #onReady = (): void => void this.readClock();

  readonly #onClose = (): void => {
    this.#clockAheadMs = undefined;
  };
}
