import type { MeteringRedis } from './metering-redis.js';

/** Hears what an operation came to: as ADMISSION_SCRIPT tells it, or absent when Redis did not do it in time. */
export type Answered = (reply: number | undefined) => void;

/** A whole batch must not keep Redis, or whoever came last, waiting for long. */
const MOST_OPERATIONS = 256;
/** What Redis comes to later than this is not done: by then its caller may have been told that it was not. */
const LATEST_MS = 200;

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
    const waiting = this.#waiting;
    const keys = this.#keys;
    const args = this.#args;
    this.#waiting = [];
    this.#keys = [];
    this.#args = [''];
    args[0] = String(this.redis.now() + LATEST_MS);
    this.#underWay++;
    this.redis.watched(this.redis.client.admit(keys.length, keys, args)).then(
      (replies) => {
        // Late, or the clocks have come apart: the next one knows.
        if (replies.length === 0) void this.redis.readClock();
        this.#answer(waiting, replies);
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
}

function answer(waiting: readonly Answered[], replies: readonly number[]): void {
  for (let i = 0; i < waiting.length; i++) {
    const reply = replies[i];
    waiting[i]!(reply === -1 ? undefined : reply);
  }
}
