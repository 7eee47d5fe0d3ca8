/** A set of the integers 0..size-1, with one bit per integer. */
export class Bitset {
  readonly #words: Uint32Array;

  constructor(size: number) {
    this.#words = new Uint32Array(Math.ceil(size / 32));
  }

  has(index: number): boolean {
    return ((this.#words[index >>> 5]! >>> (index & 31)) & 1) === 1;
  }

  /** Adds `index`. Returns false when the set already contains it. */
  add(index: number): boolean {
    const bit = 1 << (index & 31);
    const word = this.#words[index >>> 5]!;
    if ((word & bit) !== 0) return false;
    this.#words[index >>> 5] = word | bit;
    return true;
  }

  /** Returns the number of integers in the set. */
  count(): number {
    let count = 0;
    for (let word of this.#words) {
      for (; word !== 0; word = (word & (word - 1)) >>> 0) count++;
    }
    return count;
  }

  /** Calls `visit` in order for every integer of this set that is not in `other`, a set of the same size. */
  forEachMissingIn(other: Bitset, visit: (index: number) => void): void {
    for (let i = 0; i < this.#words.length; i++) {
      let word = (this.#words[i]! & ~other.#words[i]!) >>> 0;
      for (; word !== 0; word = (word & (word - 1)) >>> 0) visit(i * 32 + 31 - Math.clz32(word & -word));
    }
  }
}
