/**
 * Writes the fields of a record as integers. Records with equal fields get equal integers and can be interned as
 * tuples. Add the fields in the same order every time.
 */
export class TupleKey {
  /** The integers of the current record. Reused by the next record. */
  readonly integers: Int32Array;
  readonly #numbers = new Map<unknown, number>();
  readonly #double = new Float64Array(1);
  readonly #halves = new Int32Array(this.#double.buffer);
  #at = 0;

  constructor(width: number) {
    this.integers = new Int32Array(width);
  }

  /** The strings and objects so far: number n is the value at position n - 1. */
  get values(): unknown[] {
    return [...this.#numbers.keys()];
  }

  /** Starts a new record. */
  start(): this {
    this.#at = 0;
    return this;
  }

  /** Adds a string, compared by value, or an object, compared by identity. Takes one integer. */
  add(value: string | object | undefined): this {
    return this.addInteger(this.numberOf(value));
  }

  /** Returns the number of a string or an object; 0 for undefined. */
  numberOf(value: string | object | undefined): number {
    if (value === undefined) return 0;
    let number = this.#numbers.get(value);
    if (number === undefined) this.#numbers.set(value, (number = this.#numbers.size + 1));
    return number;
  }

  /** Adds a signed 32-bit integer other than the smallest, which means undefined. Takes one integer. */
  addInteger(value: number | undefined): this {
    this.integers[this.#at++] = value ?? -0x8000_0000;
    return this;
  }

  /** Adds any number; NaN means undefined. Takes two integers. */
  addDouble(value: number | undefined): this {
    this.#double[0] = value ?? Number.NaN;
    this.integers[this.#at++] = this.#halves[0]!;
    this.integers[this.#at++] = this.#halves[1]!;
    return this;
  }
}
