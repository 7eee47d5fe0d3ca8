/** Counts what is open or running per key, such as connections per source. Keys with nothing open take no memory. */
export class CountPerKey {
  readonly #counts = new Map<string, number>();

  /** The number of keys with a count above 0. */
  get keys(): number {
    return this.#counts.size;
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  enter(key: string): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  /** Reverts one `enter` of this key. */
  leave(key: string): void {
    const left = this.of(key) - 1;
    if (left === 0) this.#counts.delete(key);
    else this.#counts.set(key, left);
  }
}
