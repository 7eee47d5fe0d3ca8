import { TIMEOUT_MS, type RedisConnection } from '../redis-connection.js';
import type { AdmissionCommands } from './admission-script.js';

/**
 * Gets the reply of ADMISSION_SCRIPT to an operation, or undefined when Redis did not run it in time. OUT_OF_MEMORY:
 * Redis refused it and nothing was done.
 */
export type Answered = (reply: number | undefined) => void;

export const OUT_OF_MEMORY = -2;

/** Sends operations to Redis. */
export interface Admissions {
  /**
   * Adds an operation: keys and arguments as ADMISSION_SCRIPT lists them. Answers at once while Redis is unavailable.
   */
  add(keys: readonly string[], args: readonly string[], answered: Answered): void;
}

/** Limits the time that a batch blocks Redis and its last caller. */
const MOST_OPERATIONS = 256;
/** Redis runs no operation later than this, because its caller may have been refused already. */
const LATEST_MS = 0.9 * TIMEOUT_MS;
/** A batch that arrived too late is sent again: Redis may be slow for a moment only. */
const ATTEMPTS = 2;

/** Operations that were sent together. */
interface Batch {
  readonly waiting: readonly Answered[];
  readonly keys: readonly string[];
  readonly args: string[];
}

/**
 * Sends operations to Redis in batches, because a command costs this process more CPU than its work costs Redis.
 * Operations of one turn of the event loop form a batch. While Redis runs a batch, the next one collects.
 */
export class AdmissionBatch implements Admissions {
  #keys: string[] = [];
  #args: string[] = [''];
  #waiting: Answered[] = [];
  /** The number of commands without a reply. */
  #pending = 0;
  readonly #flush = (): void => {
    if (this.#waiting.length > 0 && this.#pending === 0) this.#send();
  };

  /** `tag` is the hash tag of all keys, as the start of a key. It does not matter without a cluster. */
  constructor(
    private readonly redis: RedisConnection,
    private readonly commands: AdmissionCommands,
    private readonly tag: string,
  ) {}

  add(keys: readonly string[], args: readonly string[], answered: Answered): void {
    if (!this.redis.isReadyFor(this.tag)) {
      answered(undefined);
      return;
    }
    if (this.#waiting.length === 0) setImmediate(this.#flush);
    for (const key of keys) this.#keys.push(key);
    for (const arg of args) this.#args.push(arg);
    this.#waiting.push(answered);
    if (this.#waiting.length === MOST_OPERATIONS) this.#send();
  }

  #send(): void {
    const batch = { waiting: this.#waiting, keys: this.#keys, args: this.#args };
    this.#waiting = [];
    this.#keys = [];
    this.#args = [''];
    this.#pending++;
    this.#try(batch, ATTEMPTS);
  }

  #try(batch: Batch, attempts: number): void {
    const { waiting, keys, args } = batch;
    args[0] = String(this.redis.nowFor(this.tag) + LATEST_MS);
    this.redis.watched(this.commands.admit(keys.length, keys, args)).then(
      (replies) => {
        if (replies.length === 0) void this.#retry(batch, attempts - 1);
        else this.#answer(waiting, replies);
      },
      (error: unknown) => {
        this.redis.failed(error);
        this.#answer(waiting, []);
      },
    );
  }

  #answer(waiting: readonly Answered[], replies: readonly number[]): void {
    this.#pending--;
    this.#flush();
    answer(waiting, replies);
  }

  /**
   * Sends a batch again that arrived after its deadline. Nothing was done: Redis is slow or the clocks have drifted.
   */
  async #retry(batch: Batch, attempts: number): Promise<void> {
    await this.redis.readClock(this.tag);
    if (attempts > 0 && this.redis.isReadyFor(this.tag)) this.#try(batch, attempts);
    else this.#answer(batch.waiting, []);
  }
}

function answer(waiting: readonly Answered[], replies: readonly number[]): void {
  for (let i = 0; i < waiting.length; i++) {
    const reply = replies[i];
    waiting[i]!(reply === -1 ? undefined : reply);
  }
}
