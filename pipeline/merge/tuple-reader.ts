/** Reads the records of `TupleKey` back from their integers, field by field in the order in which they were added. */
export class TupleReader {
  readonly #tuples: Int32Array;
  readonly #width: number;
  readonly #texts: readonly string[];
  readonly #double = new Float64Array(1);
  readonly #halves = new Int32Array(this.#double.buffer);
  #at = 0;

  constructor(tuples: Int32Array, format: { readonly width: number; readonly texts: readonly string[] }) {
    this.#tuples = tuples;
    this.#width = format.width;
    this.#texts = format.texts;
  }

  /** Starts with record `id`. */
  start(id: number): void {
    this.#at = id * this.#width;
  }

  /** Returns the text in one field of record `id`, without starting with the record. */
  textAt(id: number, field: number): string | undefined {
    const number = this.#tuples[id * this.#width + field]!;
    return number === 0 ? undefined : this.#texts[number - 1]!;
  }

  text(): string | undefined {
    return this.textOf(this.number());
  }

  /** Returns the number of the text in a field, or 0; see `textOf`. */
  number(): number {
    return this.#tuples[this.#at++]!;
  }

  textOf(number: number): string | undefined {
    return number === 0 ? undefined : this.#texts[number - 1]!;
  }

  integer(): number | undefined {
    const value = this.#tuples[this.#at++]!;
    return value === -0x8000_0000 ? undefined : value;
  }

  /** Returns an integer that was unsigned when it was added. */
  unsigned(): number | undefined {
    const value = this.integer();
    return value === undefined ? undefined : value >>> 0;
  }

  double(): number | undefined {
    this.#halves[0] = this.#tuples[this.#at++]!;
    this.#halves[1] = this.#tuples[this.#at++]!;
    const value = this.#double[0]!;
    return Number.isNaN(value) ? undefined : value;
  }
}
