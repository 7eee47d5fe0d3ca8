import { ConcurrencyLimit } from '../concurrency-limit.js';
import type { Deadline } from '../deadline.js';

/** Bounds how many questions one server gets at a time; who comes later waits its turn, until its deadline at most. */
export class PerHostLimit {
  /** Of hosts that are being asked. */
  readonly #limits = new Map<string, ConcurrencyLimit>();

  constructor(private readonly concurrency: number) {}

  /** Runs `work` when it is its turn. Throws UpstreamError('timeout') when that does not come before the deadline. */
  async run<T>(host: string, deadline: Deadline, work: () => Promise<T>): Promise<T> {
    const limit = this.#limitOf(host);
    try {
      return await limit.run(deadline, work);
    } finally {
      // Another may have taken its place since the last question ended.
      if (limit.isIdle && this.#limits.get(host) === limit) this.#limits.delete(host);
    }
  }

  #limitOf(host: string): ConcurrencyLimit {
    const existing = this.#limits.get(host);
    if (existing) return existing;
    const limit = new ConcurrencyLimit(this.concurrency, `${host} is busy with our earlier questions`);
    this.#limits.set(host, limit);
    return limit;
  }
}
