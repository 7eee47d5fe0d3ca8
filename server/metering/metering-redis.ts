import { Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../config.js';
import { ADD_CREDITS_SCRIPT, ROTATE_KEY_SCRIPT, SET_PLAN_SCRIPT } from '../accounts/account-scripts.js';
import { ADMISSION_SCRIPT, OVERDUE_SCRIPT } from './admission-script.js';
import { GIVE_BACK_DOWNLOAD_SCRIPT, TAKE_DOWNLOAD_SCRIPT } from './download-script.js';

/** The commands of ioredis and our scripts; keys and arguments may come as arrays. */
export interface ScriptedRedis extends Redis {
  admit(keyCount: number, keys: readonly string[], args: readonly string[]): Promise<number[]>;
  overdue(holds: string, deadlines: string): Promise<[] | [ids: string[], holds: (string | null)[]]>;
  takeDownload(
    hourKey: string,
    dayKey: string,
    usageKey: string,
    perHour: number,
    perDay: number,
    date: string,
  ): Promise<[0 | 1, number, number]>;
  giveBackDownload(hourKey: string, dayKey: string, usageKey: string, date: string): Promise<null>;
  setPlan(accountKey: string, creditsKey: string, plan: string, byPlan: readonly string[]): Promise<0 | 1>;
  addCredits(
    accountKey: string,
    creditsKey: string,
    credits: number,
    byPlan: readonly string[],
  ): Promise<number>;
  rotateKey(keysKey: string, oldHash: string, newHash: string, record: string): Promise<0 | 1>;
}

/**
 * A Redis that says nothing for so long is given up; whoever waits for it is told. It is long, because a machine under
 * load keeps a Redis that is well from speaking for some hundred milliseconds, and short enough to wait for once.
 */
export const TIMEOUT_MS = 1000;
const TICK_MS = 50;
const RETRY_MS = 100;
/** Without a failed command for so long, Redis does again what it is asked. */
const WELL_MS = 60_000;
/** Only for a server that takes connections and does not speak: those who ask are turned away at once meanwhile. */
const HANDSHAKE_MS = 3000;

/**
 * The connection of meters and accounts. Nothing waits for it longer than TIMEOUT_MS: commands fail at once while
 * there is no connection, and a server that has fallen silent loses it. It is tried anew for ever.
 */
export class MeteringRedis {
  readonly client: ScriptedRedis;
  readonly #watchdog: NodeJS.Timeout;
  #sent = 0;
  #answered = 0;
  #answeredLastTick = 0;
  #silentTicks = 0;
  #clockAheadMs = 0;
  #timed = false;
  #isLost = false;
  /** What failed commands have come to since all was well: each is told once. */
  readonly #refusals = new Set<string>();
  #refusedMs = 0;

  /** `log` hears when Redis is lost and why, when it is back, and what it refuses to do. */
  constructor(
    private readonly address: RedisAddress,
    private readonly log: (line: string) => void = () => undefined,
  ) {
    this.client = withScripts(connect(address, OPTIONS));
    this.client.on('error', (error: Error) => {
      this.#lose(error);
    });
    this.client.on('ready', () => void this.readClock());
    this.client.on('close', () => {
      this.#lose(new Error('the connection was closed'));
    });
    this.#watchdog = setInterval(() => {
      this.#watch();
    }, TICK_MS);
    this.#watchdog.unref();
  }

  /** Whether commands are worth a try. */
  get isReady(): boolean {
    return this.#timed && this.client.status === 'ready';
  }

  /** Milliseconds since 1970 by Redis's clock. */
  now(): number {
    return Date.now() + this.#clockAheadMs;
  }

  /** Watches over a command that has just been sent. */
  async watched<T>(command: Promise<T>): Promise<T> {
    this.#sent++;
    try {
      return await command;
    } finally {
      this.#answered++;
    }
  }

  /** Resolves when commands can be sent; false when that takes longer than `patienceMs`. */
  async ready(patienceMs: number): Promise<boolean> {
    const until = Date.now() + patienceMs;
    while (!this.isReady && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
    return this.isReady;
  }

  /** Learns how far Redis's clock is from ours; until that is known nobody is served from it. */
  async readClock(): Promise<void> {
    const sent = Date.now();
    try {
      const [seconds, microseconds] = await this.watched(this.client.time());
      this.#clockAheadMs = Math.round(
        Number(seconds) * 1000 + Number(microseconds) / 1000 - (sent + Date.now()) / 2,
      );
      this.#timed = true;
      if (this.#isLost) this.log('Redis is back');
      if (this.#isLost) this.#refusals.clear();
      this.#isLost = false;
    } catch (error) {
      // The next connection asks anew.
      this.#lose(error);
    }
  }

  /** Another connection to the same server, which waits for it as long as it takes: for subscriptions. */
  subscriber(): Redis {
    return connect(this.address, SUBSCRIBER_OPTIONS);
  }

  /** Takes notice of a command that failed; what many come to is logged once. */
  failed(error: unknown): void {
    if (!this.isReady) return;
    if (Date.now() - this.#refusedMs > WELL_MS) this.#refusals.clear();
    this.#refusedMs = Date.now();
    const message = messageOf(error);
    if (!this.#refusals.has(message)) this.log(`Redis: ${message}`);
    this.#refusals.add(message);
  }

  close(): void {
    clearInterval(this.#watchdog);
    this.#isLost = true;
    this.client.disconnect();
    // A frozen server does not close its side.
    (this.client.stream as Redis['stream'] | undefined)?.destroy();
  }

  #lose(error: unknown): void {
    this.#timed = false;
    if (!this.#isLost) this.log(`Redis is gone: ${messageOf(error)}`);
    this.#isLost = true;
  }

  /** Counts ticks and not time: a process that itself was busy for long has not heard Redis's answer yet. */
  #watch(): void {
    const isSilent = this.#sent > this.#answered && this.#answered === this.#answeredLastTick;
    this.#answeredLastTick = this.#answered;
    this.#silentTicks = isSilent ? this.#silentTicks + 1 : 0;
    if (this.#silentTicks * TICK_MS < TIMEOUT_MS) return;
    this.#silentTicks = 0;
    this.client.stream.destroy(new Error(`it said nothing for ${TIMEOUT_MS} ms`));
  }
}

/** The one option left out does not type-check with exact optional properties. */
type ClientOptions = Omit<RedisOptions, 'replyMapping'>;

const OPTIONS: ClientOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: HANDSHAKE_MS,
  socketTimeout: HANDSHAKE_MS,
  retryStrategy: () => RETRY_MS,
};

/** A subscription is silent until there is news. */
const SUBSCRIBER_OPTIONS: ClientOptions = {
  // Whoever subscribes does so anew on every connection, and wants to know when it is done.
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

/** By command: the script, and how many keys it takes; absent when the call says so. */
const SCRIPTS: readonly (readonly [name: string, lua: string, numberOfKeys?: number])[] = [
  ['admit', ADMISSION_SCRIPT],
  ['overdue', OVERDUE_SCRIPT, 2],
  ['takeDownload', TAKE_DOWNLOAD_SCRIPT, 3],
  ['giveBackDownload', GIVE_BACK_DOWNLOAD_SCRIPT, 3],
  ['setPlan', SET_PLAN_SCRIPT, 2],
  ['addCredits', ADD_CREDITS_SCRIPT, 2],
  ['rotateKey', ROTATE_KEY_SCRIPT, 1],
];

function withScripts(client: Redis): ScriptedRedis {
  for (const [name, lua, numberOfKeys] of SCRIPTS) {
    client.defineCommand(name, numberOfKeys === undefined ? { lua } : { lua, numberOfKeys });
  }
  return client as ScriptedRedis;
}
