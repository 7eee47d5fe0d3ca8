import { leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';

/** How many sockets may be open at once; who comes later waits, in order. */
export class SocketSlots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Does the work with a slot of its own. Throws UpstreamError('timeout') when none comes free in time. */
  async with<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(deadline);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #wait(deadline: Deadline): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(enter);
        reject(new UpstreamError('timeout', 'too many DNS queries at once'));
      }, leftOf(deadline));
      this.#waiting.add(enter);
    });
  }

  /** Hands the slot to who waits longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
