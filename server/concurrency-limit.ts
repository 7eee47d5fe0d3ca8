import { leftOf, type Deadline } from './deadline.js';
import { UpstreamError } from './upstream-error.js';

/** Limits how many tasks run at a time. Further tasks wait in order, until their deadlines. */
export class ConcurrencyLimit {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  /** `busy` is the error message for tasks that wait past their deadline. */
  constructor(
    private readonly concurrency: number,
    private readonly busy: string,
  ) {}

  /** Whether no task runs, and therefore none waits. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Runs `work` when a slot is free. Throws UpstreamError('timeout') at the deadline, and then never runs it. */
  async run<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.concurrency) this.#running++;
    else await this.#waitForSlot(deadline);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #waitForSlot(deadline: Deadline): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(start);
        reject(new UpstreamError('timeout', this.busy));
      }, leftOf(deadline));
      this.#waiting.add(start);
    });
  }

  /** Passes the slot to the task that waits longest, or frees it. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
