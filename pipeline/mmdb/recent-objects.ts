/**
 * Numbers of objects met lately, by identity. Two generations: when the younger one is full it replaces the older
 * one, so that objects in use stay and millions of others cost neither memory nor time for the garbage collector.
 * Where a whole generation is hardly ever asked for again, whoever makes the objects does not share them: the cache
 * then stays empty for good.
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
