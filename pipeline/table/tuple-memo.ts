/**
 * Remembers one unsigned 32-bit answer per distinct tuple of integers: open addressing over integer columns, no
 * string keys.
 */
export class TupleMemo {
  readonly #width: number;
  /** Tuples one after the other, in the order they were first seen. */
  #tuples: Int32Array;
  #answers: Uint32Array;
  /** Position of a tuple plus 1; 0 is free. The size is a power of two. */
  #table: Uint32Array;
  #count = 0;
  readonly #position = (): number => this.#count - 1;

  constructor(width: number, capacity = 1024) {
    this.#width = width;
    this.#tuples = new Int32Array(capacity * width);
    this.#answers = new Uint32Array(capacity);
    this.#table = new Uint32Array(capacity * 2);
  }

  /** Distinct tuples seen so far. */
  get size(): number {
    return this.#count;
  }

  /** The tuples one after the other, in the order they were first seen: a view, good until the next one is added. */
  get tuples(): Int32Array {
    return this.#tuples.subarray(0, this.#count * this.#width);
  }

  /** One integer of the tuple at a position among them. */
  at(position: number, index: number): number {
    return this.#tuples[position * this.#width + index]!;
  }

  /** The tuple's position among them; an answer of no other kind may then be asked for. */
  number(tuple: Int32Array): number {
    return this.resolve(tuple, this.#position);
  }

  /** The answer for `tuple`, computed on first sight. `compute` must not call back into this memo. */
  resolve(tuple: Int32Array, compute: () => number): number {
    const mask = this.#table.length - 1;
    let at = hash(tuple, 0, this.#width) & mask;
    for (let held = this.#table[at]!; held !== 0; held = this.#table[at]!) {
      if (this.#equals(held - 1, tuple)) return this.#answers[held - 1]!;
      at = (at + 1) & mask;
    }
    return this.#add(tuple, at, compute);
  }

  #add(tuple: Int32Array, at: number, compute: () => number): number {
    if (this.#count === this.#answers.length) {
      this.#grow();
      at = this.#freeSlot(tuple, 0);
    }
    const position = this.#count++;
    this.#tuples.set(tuple, position * this.#width);
    this.#table[at] = position + 1;
    const answer = compute() >>> 0;
    this.#answers[position] = answer;
    return answer;
  }

  #equals(position: number, tuple: Int32Array): boolean {
    const from = position * this.#width;
    for (let i = 0; i < this.#width; i++) if (this.#tuples[from + i] !== tuple[i]) return false;
    return true;
  }

  #freeSlot(tuples: Int32Array, from: number): number {
    const mask = this.#table.length - 1;
    let at = hash(tuples, from, this.#width) & mask;
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const capacity = this.#answers.length * 2;
    const tuples = new Int32Array(capacity * this.#width);
    tuples.set(this.#tuples);
    const answers = new Uint32Array(capacity);
    answers.set(this.#answers);
    this.#tuples = tuples;
    this.#answers = answers;
    this.#table = new Uint32Array(capacity * 2);
    for (let i = 0; i < this.#count; i++) this.#table[this.#freeSlot(tuples, i * this.#width)] = i + 1;
  }
}

/** Murmur-style mixing of the `width` integers of a tuple that begins at `from`. */
function hash(tuples: Int32Array, from: number, width: number): number {
  let h = width;
  for (let i = from; i < from + width; i++) {
    h = Math.imul(h ^ Math.imul(tuples[i]!, 0xcc9e2d51), 0x1b873593);
    h = (h ^ (h >>> 15)) | 0;
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}
