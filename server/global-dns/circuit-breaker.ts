import { UpstreamError } from '../upstream-error.js';

/** When a server is left alone, and for how long. */
export interface BreakerSettings {
  /** Failures in a row. */
  readonly failures: number;
  /** How long nobody asks; then one may try. */
  readonly restMs: number;
  /** Milliseconds on any clock that only goes forward. */
  readonly now: () => number;
}

export type BreakerState = 'closed' | 'open' | 'half-open';

/** Leaves a server alone that keeps failing: open after several failures in a row, closed again by one success. */
export class CircuitBreaker {
  #failuresInRow = 0;
  #openedAt: number | undefined;
  #isTried = false;

  constructor(
    /** Of the server, for messages. */
    private readonly name: string,
    private readonly settings: BreakerSettings,
  ) {}

  /** Half-open is a breaker whose rest is over: the next call tries the server. */
  get state(): BreakerState {
    if (this.#openedAt === undefined) return 'closed';
    return this.settings.now() - this.#openedAt < this.settings.restMs ? 'open' : 'half-open';
  }

  /**
   * Does the work, unless the server is left alone: then it throws UpstreamError at once. Only failures that `counts`
   * are held against the server.
   */
  async run<T>(work: () => Promise<T>, counts: (error: UpstreamError) => boolean = () => true): Promise<T> {
    const { state } = this;
    if (state === 'open' || (state === 'half-open' && this.#isTried))
      throw new UpstreamError('unreachable', `${this.name} has failed again and again, and is left alone`);
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
    // Each failed trial begins a new rest.
    if (this.#failuresInRow >= this.settings.failures) this.#openedAt = this.settings.now();
  }
}
