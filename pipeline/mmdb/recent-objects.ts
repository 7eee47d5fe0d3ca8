/**
 * Numbers of recently seen objects, by identity. It has two generations: when the younger one is full, it replaces the
 * older one. Objects in use are therefore kept, without memory or garbage collection for millions of others. When
 * lookups rarely succeed for a whole generation, the caller does not share objects, and the cache turns itself off.
 */
export class RecentObjects {
  #younger = new Map<object, number>();
  #older = new Map<object, number>();
  #hits = 0;
  #isUseless = false;

  get(object: object): number | undefined {
    if (this.#isUseless) return undefined;
    let id = this.#younger.get(object);
    if (id === undefined) {
      id = this.#older.get(object);
      if (id === undefined) return undefined;
      this.set(object, id);
    }
    this.#hits++;
    return id;
  }

  set(object: object, id: number): void {
    if (this.#isUseless) return;
    if (this.#younger.size >= GENERATION) this.#turnOver();
    this.#younger.set(object, id);
  }

  #turnOver(): void {
    this.#isUseless = this.#hits < GENERATION / 4;
    this.#hits = 0;
    this.#older = this.#isUseless ? new Map<object, number>() : this.#younger;
    this.#younger = new Map();
  }
}

const GENERATION = 1 << 15;
