/**
 * Caches values by number. Keeps two generations: a full young generation replaces the old one, and values that are used
 * again are copied to the young one. This is about as effective as LRU and costs two lookups in a Map.
 */
export class GenerationCache<Value> {
  readonly #limit: number;
  #young = new Map<number, Value>();
  #old = new Map<number, Value>();

  /** `limit` is the number of values per generation. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(number: number): Value | undefined {
    const young = this.#young.get(number);
    if (young !== undefined) return young;
    const old = this.#old.get(number);
    if (old !== undefined) this.set(number, old);
    return old;
  }

  set(number: number, value: Value): void {
    if (this.#young.size >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(number, value);
  }
}
