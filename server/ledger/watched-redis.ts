import { Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../config.js';
import { Failure } from '../failure.js';

/** A Lua script that becomes a command of a connection. */
export interface Script {
  readonly lua: string;
  /** Absent when the first argument of the command is the number of keys. */
  readonly numberOfKeys?: number;
}

/** The scripts of some commands, by command name. */
export type Scripts<Commands> = { readonly [Name in keyof Commands]: Script };

/**
 * After this time without a reply the connection is closed and pending commands fail. A healthy Redis on a loaded
 * machine may be silent for some hundred milliseconds.
 */
export const TIMEOUT_MS = 1000;
const TICK_MS = 50;
const RETRY_MS = 100;
/** After this time without a failed command, failures are logged again. */
const WELL_MS = 60_000;
/** For a server that accepts connections and sends nothing. Commands fail at once in the meantime. */
const HANDSHAKE_MS = 3000;

/**
 * A Redis connection on which no command waits longer than TIMEOUT_MS. Commands fail at once while there is no
 * connection. A silent server is disconnected. Reconnecting is tried forever.
 */
export class WatchedRedis {
  readonly client: Redis;
  readonly #watchdog: NodeJS.Timeout;
  #sent = 0;
  #answered = 0;
  #answeredLastTick = 0;
  #silentTicks = 0;
  #clockAheadMs = 0;
  #isClockKnown = false;
  #isLost = false;
  /** Messages of failed commands that have been logged. */
  readonly #loggedFailures = new Set<string>();
  #lastFailureMs = 0;

  /** `log` gets a line when the connection is lost or restored, and one for each kind of failed command. */
  constructor(
    private readonly address: RedisAddress,
    private readonly log: (line: string) => void = () => undefined,
  ) {
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

  /** Whether commands can be sent. */
  get isReady(): boolean {
    return this.#isClockKnown && this.client.status === 'ready';
  }

  /** The time of Redis's clock, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#clockAheadMs;
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

  /** Waits until commands can be sent. Returns false when that takes longer than `patienceMs`. */
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
      if (this.#isLost) this.log('Redis is reachable again');
      if (this.#isLost) this.#loggedFailures.clear();
      this.#isLost = false;
    } catch (error) {
      // The next connection reads the clock again.
      this.#lose(error);
    }
  }

  /** Adds Lua scripts as commands. Returns the client with the type of these commands. */
  withScripts<Commands>(scripts: Scripts<Commands>): Redis & Commands {
    for (const [name, script] of Object.entries<Script>(scripts)) this.client.defineCommand(name, script);
    return this.client as Redis & Commands;
  }

  /** Waits for the reply to a command that has just been sent. Throws Failure(503) when it fails. */
  async reply<T>(command: Promise<T>): Promise<T> {
    try {
      return await this.watched(command);
    } catch (cause) {
      this.failed(cause);
      throw accountsUnavailable(cause);
    }
  }

  /** Opens another connection to the same server, for subscriptions. It has no timeout. */
  subscriber(): Redis {
    return connect(this.address, SUBSCRIBER_OPTIONS);
  }

  /** Logs a failed command. Repeated failures with the same message are logged once. */
  failed(error: unknown): void {
    if (!this.isReady) return;
    if (Date.now() - this.#lastFailureMs > WELL_MS) this.#loggedFailures.clear();
    this.#lastFailureMs = Date.now();
    const message = messageOf(error);
    if (!this.#loggedFailures.has(message)) this.log(`Redis command failed: ${message}`);
    this.#loggedFailures.add(message);
  }

  close(): void {
    clearInterval(this.#watchdog);
    this.#isLost = true;
    this.client.disconnect();
    // A frozen server does not close its end.
    (this.client.stream as Redis['stream'] | undefined)?.destroy();
  }

  #lose(error: unknown): void {
    this.#isClockKnown = false;
    if (!this.#isLost) this.log(`Redis is unreachable: ${messageOf(error)}`);
    this.#isLost = true;
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

/** The answer to a call that needs Redis while Redis is unavailable (decision 10). */
export function accountsUnavailable(cause?: unknown): Failure {
  return new Failure(503, 'accounts are unavailable, try again later', {}, { cause });
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

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

function connect(address: RedisAddress, options: ClientOptions): Redis {
  return 'url' in address
    ? new Redis(address.url, options)
    : new Redis({ ...options, path: address.socketPath });
}
