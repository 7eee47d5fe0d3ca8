/**
 * Distinct pairs of unsigned 32-bit integers, numbered from 0 in the order they are added. Open addressing over
 * columns.
 */
export class PairIndex {
  #lefts: Uint32Array;
  #rights: Uint32Array;
  /** Pair number plus 1; 0 is free. The size is a power of two, at least twice the capacity. */
  #slots: Uint32Array;
  #shift: number;
  #count = 0;

  constructor() {
    this.#lefts = new Uint32Array(INITIAL_CAPACITY);
    this.#rights = new Uint32Array(INITIAL_CAPACITY);
    this.#slots = new Uint32Array(INITIAL_CAPACITY * 2);
    this.#shift = Math.clz32(this.#slots.length - 1);
  }

  get size(): number {
    return this.#count;
  }

  /** The first integers of the pairs by number, as a view that is valid until the next new pair. */
  get lefts(): Uint32Array {
    return this.#lefts.subarray(0, this.#count);
  }

  /** The second integers of the pairs by number, as a view that is valid until the next new pair. */
  get rights(): Uint32Array {
    return this.#rights.subarray(0, this.#count);
  }

  /** Returns the number of a pair; adds it if it is new, with the number `size`. */
  add(left: number, right: number): number {
    const at = this.#slotOf(left, right);
    const held = this.#slots[at]!;
    if (held !== 0) return held - 1;
    if (this.#count === this.#lefts.length) {
      this.#grow();
      return this.#put(this.#slotOf(left, right), left, right);
    }
    return this.#put(at, left, right);
  }

  #put(at: number, left: number, right: number): number {
    const number = this.#count++;
    this.#lefts[number] = left;
    this.#rights[number] = right;
    this.#slots[at] = number + 1;
    return number;
  }

  /** Returns the slot of the pair, or the free slot for it. */
  #slotOf(left: number, right: number): number {
    const mask = this.#slots.length - 1;
    const mixed = Math.imul(Math.imul(left, 0x9e3779b1) ^ right, 0x85ebca6b);
    let at = (mixed ^ (mixed >>> 15)) >>> this.#shift;
    for (let held = this.#slots[at]!; held !== 0; held = this.#slots[at]!) {
      if (this.#lefts[held - 1] === left && this.#rights[held - 1] === right) break;
      at = (at + 1) & mask;
    }
    return at;
  }

  #grow(): void {
    this.#lefts = doubled(this.#lefts);
    this.#rights = doubled(this.#rights);
    this.#slots = new Uint32Array(this.#lefts.length * 2);
    this.#shift = Math.clz32(this.#slots.length - 1);
    for (let i = 0; i < this.#count; i++) {
      this.#slots[this.#slotOf(this.#lefts[i]!, this.#rights[i]!)] = i + 1;
    }
  }
}

const INITIAL_CAPACITY = 1024;

function doubled(column: Uint32Array): Uint32Array {
  const grown = new Uint32Array(column.length * 2);
  grown.set(column);
  return grown;
}
