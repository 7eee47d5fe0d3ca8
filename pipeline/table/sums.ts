/** Sums by number. The column grows with the greatest number. */
export class Sums {
  #sums: Float64Array;

  constructor(capacity = 1024) {
    this.#sums = new Float64Array(capacity);
  }

  /** One more than the greatest number that may have a sum. */
  get length(): number {
    return this.#sums.length;
  }

  add(number: number, amount: number): void {
    if (number >= this.#sums.length) this.#grow(number);
    this.#sums[number]! += amount;
  }

  /** Returns the sum of a number; 0 if nothing was added to it. */
  at(number: number): number {
    return this.#sums[number] ?? 0;
  }

  #grow(number: number): void {
    const held = this.#sums;
    this.#sums = new Float64Array(Math.max(2 * held.length, number + 1));
    this.#sums.set(held);
  }
}
