import type { Lifetime } from '../testing/lifetime.js';

/** Cleanups of a run of the soak, for code that is shared with tests. */
export class Lifespan implements Lifetime {
  readonly #ends: (() => unknown)[] = [];

  teardown(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Runs all cleanups, the last one registered first. */
  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }
}
