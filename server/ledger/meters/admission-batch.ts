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
   * Adds an operation: keys and arguments as ADMISSION_SCRIPT lists them. Operations with the same lists, not only equal
   * ones, are sent once with their number. Answers at once while Redis is unavailable.
   */
  add(keys: readonly string[], args: readonly string[], answered: Answered): void;
}

/** Limits the time that a batch blocks Redis and its last caller. */
const MOST_OPERATIONS = 256;
/** Redis runs no operation later than this, because its caller may have been refused already. */
const LATEST_MS = 0.9 * TIMEOUT_MS;
/** A batch that arrived too late is sent again: Redis may be slow for a moment only. */
const ATTEMPTS = 2;

/** The callers of one operation. */
interface Repeated {
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly waiting: Answered[];
}

/** Operations that were sent together, by their arguments. */
type Batch = ReadonlyMap<readonly string[], Repeated>;

/**
 * Sends operations to Redis in batches, because a command costs this process more CPU than its work costs Redis.
 * Operations of one turn of the event loop form a batch. While Redis runs a batch, the next one collects.
 */
export class AdmissionBatch implements Admissions {
  #batch = new Map<readonly string[], Repeated>();
  /** The number of callers in the batch. */
  #size = 0;
  /** The number of commands without a reply. */
  #pending = 0;
  readonly #flush = (): void => {
    if (this.#size > 0 && this.#pending === 0) this.#send();
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
    if (this.#size === 0) setImmediate(this.#flush);
    const same = this.#batch.get(args);
    if (same === undefined) this.#batch.set(args, { keys, args, waiting: [answered] });
    else same.waiting.push(answered);
    if (++this.#size === MOST_OPERATIONS) this.#send();
  }

  #send(): void {
    const batch = this.#batch;
    this.#batch = new Map();
    this.#size = 0;
    this.#pending++;
    this.#try(batch, ATTEMPTS);
  }

  #try(batch: Batch, attempts: number): void {
    const { keys, args } = listed(batch, this.redis.nowFor(this.tag) + LATEST_MS);
    this.redis.watched(this.commands.admit(keys.length, keys, args)).then(
      (replies) => {
        if (replies.length === 0) void this.#retry(batch, attempts - 1);
        else this.#answer(batch, replies);
      },
      (error: unknown) => {
        this.redis.failed(error);
        this.#answer(batch, []);
      },
    );
  }

  #answer(batch: Batch, replies: readonly number[]): void {
    this.#pending--;
    this.#flush();
    answer(batch, replies);
  }

  /**
   * Sends a batch again that arrived after its deadline. Nothing was done: Redis is slow or the clocks have drifted.
   */
  async #retry(batch: Batch, attempts: number): Promise<void> {
    await this.redis.readClock(this.tag);
    if (attempts > 0 && this.redis.isReadyFor(this.tag)) this.#try(batch, attempts);
    else this.#answer(batch, []);
  }
}

/** Returns the keys and the arguments of a batch with its deadline, for ADMISSION_SCRIPT. */
function listed(batch: Batch, untilMs: number): { readonly keys: string[]; readonly args: string[] } {
  const keys: string[] = [];
  const args = [String(untilMs)];
  for (const one of batch.values()) {
    if (one.waiting.length > 1) args.push('*', String(one.waiting.length));
    for (const key of one.keys) keys.push(key);
    for (const arg of one.args) args.push(arg);
  }
  return { keys, args };
}

function answer(batch: Batch, replies: readonly number[]): void {
  let i = 0;
  for (const { waiting } of batch.values()) {
    for (const answered of waiting) {
      const reply = replies[i++];
      answered(reply === -1 ? undefined : reply);
    }
  }
}
