import { TIMEOUT_MS, type MeteringRedis } from './metering-redis.js';

/** Hears what an operation came to: as ADMISSION_SCRIPT tells it, or absent when Redis did not do it in time. */
export type Answered = (reply: number | undefined) => void;

/** A whole batch must not keep Redis, or whoever came last, waiting for long. */
const MOST_OPERATIONS = 256;
/** What Redis comes to later than this is not done: by then its caller may have been told that it was not. */
const LATEST_MS = 0.9 * TIMEOUT_MS;
/** A Redis that is slow is not one that is gone. */
const ATTEMPTS = 2;

/** Operations on their way. */
interface Batch {
  readonly waiting: readonly Answered[];
  readonly keys: readonly string[];
  readonly args: string[];
}

/**
 * Sends operations to Redis many at a time: what a command costs in this process is more than the work in Redis. Those
 * that come in one turn of the event loop go together, and while Redis works the next ones gather.
 */
export class AdmissionBatch {
  #keys: string[] = [];
  #args: string[] = [''];
  #waiting: Answered[] = [];
  /** Commands that Redis has not answered. */
  #underWay = 0;
  readonly #flush = (): void => {
    if (this.#waiting.length > 0 && this.#underWay === 0) this.#send();
  };

  constructor(private readonly redis: MeteringRedis) {}

  /** Keys and arguments as ADMISSION_SCRIPT lists them, the letter first. Answers at once when Redis is gone. */
  add(keys: readonly string[], args: readonly string[], answered: Answered): void {
    if (!this.redis.isReady) {
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
    this.#underWay++;
    this.#ask(batch, ATTEMPTS);
  }

  #ask(batch: Batch, attempts: number): void {
    const { waiting, keys, args } = batch;
    args[0] = String(this.redis.now() + LATEST_MS);
    this.redis.watched(this.redis.client.admit(keys.length, keys, args)).then(
      (replies) => {
        if (replies.length === 0) void this.#askLate(batch, attempts - 1);
        else this.#answer(waiting, replies);
      },
      (error: unknown) => {
        this.redis.failed(error);
        this.#answer(waiting, []);
      },
    );
  }

  #answer(waiting: readonly Answered[], replies: readonly number[]): void {
    this.#underWay--;
    this.#flush();
    answer(waiting, replies);
  }

  /** Redis was late, or the clocks have come apart; it has done nothing, and speaks. */
  async #askLate(batch: Batch, attempts: number): Promise<void> {
    await this.redis.readClock();
    if (attempts > 0 && this.redis.isReady) this.#ask(batch, attempts);
    else this.#answer(batch.waiting, []);
  }
}

function answer(waiting: readonly Answered[], replies: readonly number[]): void {
  for (let i = 0; i < waiting.length; i++) {
    const reply = replies[i];
    waiting[i]!(reply === -1 ? undefined : reply);
  }
}
