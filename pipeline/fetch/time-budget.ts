/** Minimum average rate of a body, in bytes per ms. */
const SLOWEST_RATE = 20;

/**
 * The time limit of a download: a fixed time, plus time for every received byte. So a large file from a slow server
 * passes and a trickle does not.
 */
export class TimeBudget {
  readonly #controller = new AbortController();
  readonly #begun = performance.now();
  readonly #budgetMs: number;
  #bytes = 0;
  #timer: NodeJS.Timeout;

  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
    this.#timer = this.#wait(budgetMs);
  }

  /** Aborted at the time limit. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Adds received bytes. */
  received(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Stops the timer. Call it when the download has ended. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const left = this.#budgetMs + this.#bytes / SLOWEST_RATE - (performance.now() - this.#begun);
      if (left > 0) this.#timer = this.#wait(left);
      else this.#controller.abort();
    }, ms);
  }
}
