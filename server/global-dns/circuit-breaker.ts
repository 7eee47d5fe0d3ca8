import { UpstreamError } from '../upstream-error.js';

/** Settings of a circuit breaker. */
export interface BreakerSettings {
  /** Consecutive failures that open it. */
  readonly failures: number;
  /** How long it stays open. One trial call is allowed afterwards. */
  readonly restMs: number;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
}

/** Calls run while closed, fail at once while open, and are tried one at a time while half-open. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** Stops calls to a failing server: opens after several consecutive failures and closes after one success. */
export class CircuitBreaker {
  #failuresInRow = 0;
  #openedAt: number | undefined;
  #isTried = false;

  constructor(
    /** The server's name, for error messages. */
    private readonly name: string,
    private readonly settings: BreakerSettings,
  ) {}

  /** `half-open` means the pause is over and the next call is a trial. */
  get state(): BreakerState {
    if (this.#openedAt === undefined) return 'closed';
    return this.settings.now() - this.#openedAt < this.settings.restMs ? 'open' : 'half-open';
  }

  /**
   * Runs `work`. Throws UpstreamError without running it while the breaker is open. `counts` selects the errors that
   * count as failures of the server.
   */
  async run<T>(work: () => Promise<T>, counts: (error: UpstreamError) => boolean = () => true): Promise<T> {
    const { state } = this;
    if (state === 'open' || (state === 'half-open' && this.#isTried))
      throw new UpstreamError('unreachable', `${this.name} failed repeatedly; not retried yet`);
    if (state === 'half-open') this.#isTried = true;
    try {
      const result = await work();
      this.#succeeded();
      return result;
    } catch (error) {
      if (error instanceof UpstreamError && counts(error)) this.#failed();
      throw error;
    } finally {
      if (state === 'half-open') this.#isTried = false;
    }
  }

  #succeeded(): void {
    this.#failuresInRow = 0;
    this.#openedAt = undefined;
  }

  #failed(): void {
    this.#failuresInRow++;
    // Each failed trial starts a new pause.
    if (this.#failuresInRow >= this.settings.failures) this.#openedAt = this.settings.now();
  }
}
