import { Redis, type RedisOptions } from 'ioredis';
import type { ServerAddress } from '../config.js';
import { FailureLog } from './failure-log.js';
import {
  accountsUnavailable,
  addScripts,
  TIMEOUT_MS,
  type RedisConnection,
  type Scripts,
  type Subscription,
} from './redis-connection.js';

const TICK_MS = 50;
const RETRY_MS = 100;
/** For a server that accepts connections and sends nothing. Commands fail at once in the meantime. */
const HANDSHAKE_MS = 3000;

/**
 * The connection to one Redis server. Commands fail at once while there is no connection. A silent server is
 * disconnected.
 */
export class WatchedRedis implements RedisConnection {
  readonly client: Redis;
  readonly isCluster = false;
  readonly #watchdog: NodeJS.Timeout;
  readonly #failures: FailureLog;
  #sent = 0;
  #answered = 0;
  #answeredLastTick = 0;
  #silentTicks = 0;
  #clockAheadMs = 0;
  #isClockKnown = false;

  /** `log` gets a line when the connection is lost or restored, and one for each kind of failed command. */
  constructor(
    private readonly address: ServerAddress,
    log: (line: string) => void = () => undefined,
  ) {
    this.#failures = new FailureLog(log);
    this.client = connect(address, OPTIONS);
    this.client.on('error', (error: Error) => {
      this.#lose(error);
    });
    this.client.on('ready', () => void this.readClock());
    this.client.on('close', () => {
      this.#lose(new Error('connection closed'));
    });
    this.#watchdog = setInterval(() => {
      this.#watch();
    }, TICK_MS);
    this.#watchdog.unref();
  }

  get isReady(): boolean {
    return this.#isClockKnown && this.client.status === 'ready';
  }

  isReadyFor(): boolean {
    return this.isReady;
  }

  now(): number {
    return Date.now() + this.#clockAheadMs;
  }

  nowFor(): number {
    return this.now();
  }

  /** Makes the watchdog wait for a command that has just been sent. */
  async watched<T>(command: Promise<T>): Promise<T> {
    this.#sent++;
    try {
      return await command;
    } finally {
      this.#answered++;
    }
  }

  async ready(patienceMs: number): Promise<boolean> {
    const until = Date.now() + patienceMs;
    while (!this.isReady && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
    return this.isReady;
  }

  /** Measures the offset of Redis's clock. No command is sent until it is known. */
  async readClock(): Promise<void> {
    const sent = Date.now();
    try {
      const [seconds, microseconds] = await this.watched(this.client.time());
      this.#clockAheadMs = Math.round(
        Number(seconds) * 1000 + Number(microseconds) / 1000 - (sent + Date.now()) / 2,
      );
      this.#isClockKnown = true;
      this.#failures.found();
    } catch (error) {
      // The next connection reads the clock again.
      this.#lose(error);
    }
  }

  withScripts<Commands>(scripts: Scripts<Commands>) {
    return addScripts(this.client, scripts);
  }

  async reply<T>(command: Promise<T>): Promise<T> {
    try {
      return await this.watched(command);
    } catch (cause) {
      this.failed(cause);
      throw accountsUnavailable(cause);
    }
  }

  servers(): readonly Redis[] {
    return this.client.status === 'ready' ? [this.client] : [];
  }

  publish(channel: string, text: string): Promise<number> {
    return this.watched(this.client.publish(channel, text));
  }

  /** Subscribes over another connection to the same server. It has no timeout. */
  subscribe({ channels, onMessage, onSubscribed, onLost }: Subscription): () => void {
    const subscriber = connect(this.address, SUBSCRIBER_OPTIONS);
    subscriber.on('message', onMessage);
    subscriber.on('ready', () => {
      // The next connection subscribes again.
      subscriber.subscribe(...channels).then(onSubscribed, () => undefined);
    });
    if (onLost !== undefined) subscriber.on('close', onLost);
    // The main connection logs the errors of this server.
    subscriber.on('error', () => undefined);
    return () => {
      subscriber.disconnect();
    };
  }

  failed(error: unknown): void {
    if (this.isReady) this.#failures.failed(error);
  }

  close(): void {
    clearInterval(this.#watchdog);
    this.#failures.close();
    this.client.disconnect();
    // A frozen server does not close its end.
    (this.client.stream as Redis['stream'] | undefined)?.destroy();
  }

  #lose(error: unknown): void {
    this.#isClockKnown = false;
    this.#failures.lost(error);
  }

  /** Counts ticks instead of time: a process that was busy itself has not read the replies yet. */
  #watch(): void {
    const isSilent = this.#sent > this.#answered && this.#answered === this.#answeredLastTick;
    this.#answeredLastTick = this.#answered;
    this.#silentTicks = isSilent ? this.#silentTicks + 1 : 0;
    if (this.#silentTicks * TICK_MS < TIMEOUT_MS) return;
    this.#silentTicks = 0;
    this.client.stream.destroy(new Error(`no reply for ${TIMEOUT_MS} ms`));
  }
}

/** `replyMapping` does not type-check with exact optional properties. */
type ClientOptions = Omit<RedisOptions, 'replyMapping'>;

const OPTIONS: ClientOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: HANDSHAKE_MS,
  socketTimeout: HANDSHAKE_MS,
  retryStrategy: () => RETRY_MS,
};

/** Without a timeout: a subscription is silent until a message is published. */
const SUBSCRIBER_OPTIONS: ClientOptions = {
  // Subscribers subscribe again on every connection, and need to know when that is done.
  autoResubscribe: false,
  maxRetriesPerRequest: null,
  connectTimeout: HANDSHAKE_MS,
  retryStrategy: () => RETRY_MS,
};

function connect(address: ServerAddress, options: ClientOptions): Redis {
  return 'url' in address
    ? new Redis(address.url, options)
    : new Redis({ ...options, path: address.socketPath });
}
