import type { Redis } from 'ioredis';
import type { RedisConnection } from './redis-connection.js';

/** The memory of a Redis server; of a cluster, that of its fullest master. */
export interface MemoryUse {
  readonly usedBytes: number;
  /** `maxmemory`; 0 without a limit. */
  readonly limitBytes: number;
  /** `maxmemory-policy` */
  readonly policy: string;
}

/** Shares of the limit: calls without a key are counted in the process from `high`, and in Redis again below `low`. */
const WATERMARKS = { high: 0.8, low: 0.75 } as const;
/** Share of the limit below which refused commands are tried again. */
const RETRY_BELOW = 0.95;
const POLL_MS = 1000;
/** Keys looked at by one step of a deletion. */
const STEP_KEYS = 1000;
/** Keys that may be lost: the counters of callers without a key, and cached answers of whois. */
const SHORT_LIVED = ['ipatlas:{s*}[md]:*:ip:*', 'ipatlas:whois:*'] as const;

/**
 * Keeps memory of Redis free for accounts (decision 70). Redis refuses every write that needs memory once its
 * `maxmemory` is used up (policy `noeviction`).
 */
export class RedisMemory {
  #use: MemoryUse | undefined;
  #isTight = false;
  #timer: NodeJS.Timeout | undefined;
  #deleting: Promise<void> | undefined;
  #reportedPolicy: string | undefined;

  constructor(
    private readonly redis: RedisConnection,
    private readonly log: (line: string) => void = () => undefined,
  ) {}

  /** Looks at the memory every second and after each connection. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(this.#lookAgain, POLL_MS).unref();
    this.redis.client.on('ready', this.#lookAgain);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.redis.client.off('ready', this.#lookAgain);
  }

  readonly #lookAgain = (): void => {
    void this.look();
  };

  /** The memory at the last look; undefined while it is unknown. */
  get use(): MemoryUse | undefined {
    return this.#use;
  }

  /** Whether calls without a key must be counted in this process. */
  get isTight(): boolean {
    return this.#isTight;
  }

  /** Reads the memory of Redis. Never rejects. */
  async look(): Promise<void> {
    const servers = this.redis.servers();
    if (servers.length === 0) return;
    try {
      const uses = await Promise.all(servers.map((server) => this.#useOf(server)));
      this.#use = uses.reduce((fullest, use) => (shareOf(use) > shareOf(fullest) ? use : fullest));
      this.#judge(this.#use);
    } catch (error) {
      this.redis.failed(error);
    }
  }

  /**
   * Runs a command. When Redis refuses it for lack of memory, deletes short-lived keys and runs it once more. Rejects
   * with the error of the command.
   */
  async withRoom<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await this.redis.watched(command());
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      await this.makeRoom();
      return await this.redis.watched(command());
    }
  }

  /**
   * Deletes short-lived keys after Redis has refused a command for lack of memory. Resolves when there is some room or
   * no such key is left, and continues until memory is no longer tight. Never rejects.
   */
  async makeRoom(): Promise<void> {
    if (!this.#isTight) this.log('Redis has no memory left: the counters of calls without a key are deleted');
    this.#isTight = true;
    this.#deleting ??= new Promise((resolve) => {
      void this.#deleteShortLived(resolve).finally(() => {
        this.#deleting = undefined;
        // Without INFO, the next refused command makes room again.
        if (this.#use === undefined) this.#isTight = false;
        resolve();
      });
    });
    await this.#deleting;
  }

  async #deleteShortLived(hasRoom: () => void): Promise<void> {
    try {
      for (const pattern of SHORT_LIVED)
        for (const server of this.redis.servers())
          if (await this.#deleteMatching(server, pattern, hasRoom)) return;
    } catch (error) {
      this.redis.failed(error);
    }
  }

  /** Deletes keys of a server until its memory is not tight. Returns whether that of no server is. */
  async #deleteMatching(server: Redis, pattern: string, hasRoom: () => void): Promise<boolean> {
    let cursor = '0';
    do {
      const [next, keys] = await this.redis.watched(
        server.scan(cursor, 'MATCH', pattern, 'COUNT', STEP_KEYS),
      );
      cursor = next;
      // One by one: keys of several callers have several slots. A key may also have moved to another master.
      await this.redis.watched(server.pipeline(keys.map((key) => ['del', key])).exec());
      await this.look();
      if (this.#use !== undefined && shareOf(this.#use) < RETRY_BELOW) hasRoom();
      if (!this.#isTight) return true;
    } while (cursor !== '0' && (await this.#isServerTight(server)));
    return false;
  }

  /** Only a cluster has servers with different memory. */
  async #isServerTight(server: Redis): Promise<boolean> {
    return !this.redis.isCluster || shareOf(await this.#useOf(server)) >= WATERMARKS.low;
  }

  async #useOf(server: Redis): Promise<MemoryUse> {
    return parseMemory(await this.redis.watched(server.info('memory')));
  }

  #judge({ usedBytes, limitBytes, policy }: MemoryUse): void {
    if (limitBytes > 0 && policy !== 'noeviction' && policy !== this.#reportedPolicy)
      this.log(
        `Redis may delete accounts and credits: its maxmemory-policy is ${policy}, expected noeviction`,
      );
    this.#reportedPolicy = policy;
    const share = shareOf({ usedBytes, limitBytes });
    const isTight = share >= (this.#isTight ? WATERMARKS.low : WATERMARKS.high);
    if (isTight === this.#isTight) return;
    this.#isTight = isTight;
    const used = `Redis uses ${Math.floor(share * 100)} % of its memory limit of ${limitBytes} bytes`;
    this.log(
      isTight
        ? `${used}: calls without a key are counted by each process until it uses less than ${WATERMARKS.low * 100} %`
        : `${used}: calls without a key are counted in Redis again`,
    );
  }
}

/** Returns the used share of the limit; 0 without a limit. */
function shareOf({ usedBytes, limitBytes }: Pick<MemoryUse, 'usedBytes' | 'limitBytes'>): number {
  return limitBytes === 0 ? 0 : usedBytes / limitBytes;
}

/** Returns whether Redis refused a command because `maxmemory` is used up. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /\bOOM\b/.test(error.message);
}

/** Parses the reply to `INFO memory`. Throws when it has no figures. */
export function parseMemory(info: string): MemoryUse {
  const fields = new Map(info.split(/\r?\n/).map((line) => line.split(':', 2) as [string, string]));
  const usedBytes = Number(fields.get('used_memory'));
  const limitBytes = Number(fields.get('maxmemory'));
  if (!Number.isFinite(usedBytes + limitBytes))
    throw new Error('INFO memory has no used_memory or maxmemory');
  return { usedBytes, limitBytes, policy: fields.get('maxmemory_policy') ?? 'unknown' };
}
