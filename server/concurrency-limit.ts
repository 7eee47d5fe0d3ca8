import { leftOf, type Deadline } from './deadline.js';
import { UpstreamError } from './upstream-error.js';

/** So much at a time; who comes later waits its turn, in order, until its deadline at most. */
export class ConcurrencyLimit {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  /** `busy` is said to those whose turn did not come in time. */
  constructor(
    private readonly concurrency: number,
    private readonly busy: string,
  ) {}

  /** Nothing runs, and so nobody waits. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Runs `work` when it is its turn. Throws UpstreamError('timeout') when that does not come before the deadline. */
  async run<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.concurrency) this.#running++;
    else await this.#turn(deadline);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #turn(deadline: Deadline): Promise<void> {
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

  /** The place goes to who waits longest; only where nobody waits does it become free. */
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
