import type { CsvDialect } from './csv-lines.js';
import { FieldRanges } from './field-ranges.js';

/**
 * Cuts the head of a line, its first fields, from the rest, the tail. Cuts only fields that are plain or in one pair of
 * quotes: every other line is left to the CSV parser.
 */
export class RowHead {
  readonly fields: FieldRanges;
  readonly #delimiter: number;
  readonly #quote: boolean;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(columns: number, { delimiter, quote }: CsvDialect) {
    this.fields = new FieldRanges(columns);
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quote = quote;
  }

  /** Sets the block whose lines are cut. */
  setBlock(bytes: Buffer): void {
    this.#bytes = bytes;
    this.fields.text = bytes.toString('latin1');
  }

  /**
   * Cuts the line from `start` to `end` (exclusive, with its line end). Returns the start of the tail, or undefined when
   * the line has fewer fields or must be parsed.
   */
  cut(start: number, end: number): number | undefined {
    const { starts, ends } = this.fields;
    let at = start;
    for (let column = 0; column < starts.length; column++) {
      const isQuoted = this.#quote && this.#bytes[at] === QUOTE;
      const close = isQuoted ? this.#quotedEnd(at + 1, end) : this.#plainEnd(at, end);
      const delimiter = isQuoted ? close + 1 : close;
      if (delimiter >= end || this.#bytes[delimiter] !== this.#delimiter) return undefined;
      starts[column] = isQuoted ? at + 1 : at;
      ends[column] = close;
      at = delimiter + 1;
    }
    return at;
  }

  /** Returns the index of the first quote from `at` on, or `end`. */
  #quotedEnd(at: number, end: number): number {
    const bytes = this.#bytes;
    while (at < end && bytes[at] !== QUOTE) at++;
    return at;
  }

  /** Returns the index of the first delimiter or quote from `at` on, or `end`. A quote is text in some dialects. */
  #plainEnd(at: number, end: number): number {
    const bytes = this.#bytes;
    while (at < end && bytes[at] !== this.#delimiter && !(this.#quote && bytes[at] === QUOTE)) at++;
    return at;
  }
}

const QUOTE = 34;
