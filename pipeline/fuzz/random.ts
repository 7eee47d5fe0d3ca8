/** A seeded generator of numbers (mulberry32): equal seeds give equal numbers on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns an integer from 0 up to (not including) `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** Returns one of the elements, which must exist. */
  pick<T>(elements: readonly T[]): T {
    return elements[this.below(elements.length)]!;
  }

  /** Returns true once in `times` on average. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }
}

/** Returns the seed of one input of a target: FNV-1a of the three, so that each input can be made alone. */
export function seedOf(seed: number, target: string, input: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${seed} ${target} ${input}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
