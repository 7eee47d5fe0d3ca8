/** Bytes in a millisecond that a body has to come at in the long run. */
const SLOWEST_RATE = 20;

/**
 * The time a download may take: a fixed one, and more for every byte that has come, so that a large file from a slow server is not
 * given up while a drip is.
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

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** So many more bytes have come. */
  received(bytes: number): void {
    this.#bytes += bytes;
  }

  /** To be called when the download has ended. */
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
