import { ConcurrencyLimit } from '../concurrency-limit.js';
import type { Deadline } from '../deadline.js';

/** Limits concurrent queries per server. Further queries wait their turn until their deadline. */
export class PerHostLimit {
  /** Limits of hosts with running queries. */
  readonly #limits = new Map<string, ConcurrencyLimit>();

  constructor(private readonly concurrency: number) {}

  /** Runs `work` when a slot is free. Throws UpstreamError('timeout') if none is free before the deadline. */
  async run<T>(host: string, deadline: Deadline, work: () => Promise<T>): Promise<T> {
    const limit = this.#limitOf(host);
    try {
      return await limit.run(deadline, work);
    } finally {
      // A new limit may have replaced this one since its last query ended.
      if (limit.isIdle && this.#limits.get(host) === limit) this.#limits.delete(host);
    }
  }

  #limitOf(host: string): ConcurrencyLimit {
    const existing = this.#limits.get(host);
    if (existing) return existing;
    const limit = new ConcurrencyLimit(this.concurrency, `${host}: too many queries waiting`);
    this.#limits.set(host, limit);
    return limit;
  }
}
