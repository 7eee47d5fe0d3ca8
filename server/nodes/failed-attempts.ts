import { LRUCache } from 'lru-cache';

/** Who fails more often in a minute is not asked for a token any more. */
const MOST = 20;
const WINDOW_MS = 60_000;

/** Counts what each source got wrong lately. */
export class FailedAttempts {
  readonly #counts = new LRUCache<string, number>({ max: 10_000, ttl: WINDOW_MS });

  constructor(private readonly most = MOST) {}

  isTooMany(source: string): boolean {
    return (this.#counts.get(source) ?? 0) >= this.most;
  }

  /** The window begins with the first failure. */
  add(source: string): void {
    const count = this.#counts.get(source) ?? 0;
    if (count === 0) this.#counts.set(source, 1);
    else this.#counts.set(source, count + 1, { ttl: Math.max(1, this.#counts.getRemainingTTL(source)) });
  }
}
