/**
 * Writes the fields of a record as integers, so that records can be compared and interned as tuples: equal fields,
 * equal integers. The fields have to be added in the same order every time.
 */
export class TupleKey {
  /** The integers of the record at hand. */
  readonly integers: Int32Array;
  readonly #numbers = new Map<unknown, number>();
  readonly #double = new Float64Array(1);
  readonly #halves = new Int32Array(this.#double.buffer);
  #at = 0;

  constructor(width: number) {
    this.integers = new Int32Array(width);
  }

  /** Begins a new record. */
  start(): this {
    this.#at = 0;
    return this;
  }

  /** A string, compared by value, or an object, compared by identity. One integer. */
  add(value: string | object | undefined): this {
    let number = value === undefined ? 0 : this.#numbers.get(value);
    if (number === undefined) this.#numbers.set(value, (number = this.#numbers.size + 1));
    return this.addInteger(number);
  }

  /** An integer of up to 32 bits other than the smallest, which stands for absent. One integer. */
  addInteger(value: number | undefined): this {
    this.integers[this.#at++] = value ?? -0x8000_0000;
    return this;
  }

  /** Any number. Two integers. */
  addDouble(value: number | undefined): this {
    this.#double[0] = value ?? Number.NaN;
    this.integers[this.#at++] = this.#halves[0]!;
    this.integers[this.#at++] = this.#halves[1]!;
    return this;
  }
}
