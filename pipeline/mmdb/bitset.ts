/** A set of integers 0..size-1, one bit each. */
export class Bitset {
  readonly #words: Uint32Array;

  constructor(size: number) {
    this.#words = new Uint32Array(Math.ceil(size / 32));
  }

  has(index: number): boolean {
    return ((this.#words[index >>> 5]! >>> (index & 31)) & 1) === 1;
  }

  /** Puts `index` in; false when it was there already. */
  add(index: number): boolean {
    const bit = 1 << (index & 31);
    const word = this.#words[index >>> 5]!;
    if ((word & bit) !== 0) return false;
    this.#words[index >>> 5] = word | bit;
    return true;
  }

  /** How many integers are in the set. */
  count(): number {
    let count = 0;
    for (let word of this.#words) {
      for (; word !== 0; word = (word & (word - 1)) >>> 0) count++;
    }
    return count;
  }

  /** Calls `visit` for every integer that is in this set and not in `other` (of the same size), in order. */
  forEachMissingIn(other: Bitset, visit: (index: number) => void): void {
    for (let i = 0; i < this.#words.length; i++) {
      let word = (this.#words[i]! & ~other.#words[i]!) >>> 0;
      for (; word !== 0; word = (word & (word - 1)) >>> 0) visit(i * 32 + 31 - Math.clz32(word & -word));
    }
  }
}
