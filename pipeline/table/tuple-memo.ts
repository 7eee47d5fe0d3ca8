/** Stores one unsigned 32-bit answer per distinct tuple of integers, in a hash table of integer columns. */
export class TupleMemo {
  readonly #width: number;
  /** The tuples one after the other, in the order in which they were first seen. */
  #tuples: Int32Array;
  /** The answers of the resolved tuples, by position. */
  #answers = new Uint32Array(0);
  /** Two integers per entry: the hash of a tuple, and its position plus 1 (0 is free). The length is a power of two. */
  #table: Int32Array;
  #count = 0;
  /** The position of the tuple that `resolve` was called with last. */
  #last = 0;
  /** The free entry for the last tuple that was not found, and the hash of that tuple. */
  #free = 0;
  #hash = 0;

  constructor(width: number, capacity = 1024) {
    this.#width = width;
    this.#tuples = new Int32Array(capacity * width);
    this.#table = new Int32Array(capacity * 4);
  }

  /** The number of distinct tuples so far. */
  get size(): number {
    return this.#count;
  }

  /**
   * The tuples one after the other, in the order in which they were first seen. The view is valid until the next
   * addition.
   */
  get tuples(): Int32Array {
    return this.#tuples.subarray(0, this.#count * this.#width);
  }

  /** The position of the tuple that was resolved last. */
  get last(): number {
    return this.#last;
  }

  /** Returns the answer of the resolved tuple at `position`. */
  answerAt(position: number): number {
    return this.#answers[position]!;
  }

  /** Returns integer `index` of the tuple at `position`. */
  at(position: number, index: number): number {
    return this.#tuples[position * this.#width + index]!;
  }

  /** Returns the position of the tuple; adds it on first sight. Do not use `number` and `resolve` on one memo. */
  number(tuple: Int32Array): number {
    const position = this.#find(tuple);
    return position === UNSEEN ? this.#add(tuple) : position;
  }

  /** Returns the answer for `tuple`; computes it on first sight. `compute` must not call this memo. */
  resolve(tuple: Int32Array, compute: () => number): number {
    const position = this.#find(tuple);
    if (position !== UNSEEN) return this.#answers[(this.#last = position)]!;
    this.#last = this.#add(tuple);
    return this.#answer(this.#last, compute() >>> 0);
  }

  /** Returns the position of the tuple, or UNSEEN. */
  #find(tuple: Int32Array): number {
    const table = this.#table;
    const mask = table.length - 1;
    const hash = hashOf(tuple, 0, this.#width);
    let at = (hash << 1) & mask;
    for (let held = table[at + 1]!; held !== 0; held = table[at + 1]!) {
      if (table[at] === hash && this.#equals(held - 1, tuple)) return held - 1;
      at = (at + 2) & mask;
    }
    this.#free = at;
    this.#hash = hash;
    return UNSEEN;
  }

  /** Adds the tuple that `#find` has just not found. */
  #add(tuple: Int32Array): number {
    const position = this.#count++;
    this.#table[this.#free] = this.#hash;
    this.#table[this.#free + 1] = position + 1;
    const from = position * this.#width;
    // For a few integers, a loop is faster than `set`.
    for (let i = 0; i < this.#width; i++) this.#tuples[from + i] = tuple[i]!;
    if (4 * this.#count >= this.#table.length) this.#grow();
    return position;
  }

  #answer(position: number, answer: number): number {
    if (position >= this.#answers.length) {
      const answers = new Uint32Array(this.#table.length / 4);
      answers.set(this.#answers);
      this.#answers = answers;
    }
    this.#answers[position] = answer;
    return answer;
  }

  #equals(position: number, tuple: Int32Array): boolean {
    const from = position * this.#width;
    for (let i = 0; i < this.#width; i++) if (this.#tuples[from + i] !== tuple[i]) return false;
    return true;
  }

  #grow(): void {
    const tuples = new Int32Array(this.#tuples.length * 2);
    tuples.set(this.#tuples);
    const held = this.#table;
    const table = new Int32Array(held.length * 2);
    const mask = table.length - 1;
    for (let from = 0; from < held.length; from += 2) {
      if (held[from + 1] === 0) continue;
      let at = (held[from]! << 1) & mask;
      while (table[at + 1] !== 0) at = (at + 2) & mask;
      table[at] = held[from]!;
      table[at + 1] = held[from + 1]!;
    }
    this.#tuples = tuples;
    this.#table = table;
  }
}

const UNSEEN = -1;

/** Hashes the `width` integers from `from` on, with the mixing steps of MurmurHash. */
function hashOf(tuples: Int32Array, from: number, width: number): number {
  let h = width;
  for (let i = from; i < from + width; i++) {
    h = Math.imul(h ^ Math.imul(tuples[i]!, 0xcc9e2d51), 0x1b873593);
    h = (h ^ (h >>> 15)) | 0;
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return h ^ (h >>> 13);
}
