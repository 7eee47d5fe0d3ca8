/** Caches values by two numbers, with the generations of GenerationCache. */
export class PairCache<Value> {
  readonly #limit: number;
  #young = new Map<number, Map<number, Value>>();
  #old = new Map<number, Map<number, Value>>();
  #size = 0;

  /** `limit` is the number of values per generation. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(first: number, second: number): Value | undefined {
    const young = this.#young.get(first)?.get(second);
    if (young !== undefined) return young;
    const old = this.#old.get(first)?.get(second);
    if (old !== undefined) this.set(first, second, old);
    return old;
  }

  set(first: number, second: number, value: Value): void {
    if (this.#size >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#size = 0;
    }
    let inner = this.#young.get(first);
    if (inner === undefined) this.#young.set(first, (inner = new Map<number, Value>()));
    inner.set(second, value);
    this.#size++;
  }
}
