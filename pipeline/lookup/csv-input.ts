import { CsvError, parse } from 'csv-parse/sync';
import { parseAddress } from '../net/address.js';
import { isSpace, LookupInputError, type LineInput, type Span } from './line-input.js';
import { bytesOf, textOfBytes } from './notation.js';

/** Lines with a quote that is not closed on them are joined with the next ones up to this length. */
const LONGEST_RECORD = 1 << 16;

/**
 * Records of CSV (RFC 4180) with an address in one column. Records without quotes are divided at their commas; csv-parse
 * reads the others.
 */
export class CsvInput implements LineInput {
  readonly kind = 'csv';
  source = '';
  start = 0;
  end = 0;
  /** The index of the column; -1 until the header was read. */
  #column: number;
  readonly #name: string | undefined;
  /** The number of cells of the first record. */
  #width = 0;
  #cells = 0;

  constructor(
    /** The name of a column in the header, or its number from 1. */
    column: string,
  ) {
    const isNumber = /^[1-9]\d{0,5}$/.test(column);
    this.#column = isNumber ? Number(column) - 1 : -1;
    this.#name = isNumber ? undefined : column;
  }

  recordEnd(text: string, from: number, isLast: boolean): number {
    const lineEnd = text.indexOf('\n', from);
    if (lineEnd < 0 || quotesIn(text, from, lineEnd) % 2 === 0) return lineEnd;
    if (cellsOf(text.slice(from, lineEnd)) !== 'unclosed') return lineEnd;
    for (let end = lineEnd, quotes = 1; ;) {
      const next = text.indexOf('\n', end + 1);
      if (next < 0) return isLast || text.length - from > LONGEST_RECORD ? lineEnd : -1;
      if (next - from > LONGEST_RECORD) return lineEnd;
      quotes += quotesIn(text, end + 1, next);
      // A quote without an end makes a bad line, not a bad rest of the input.
      if (quotes % 2 === 0) return cellsOf(text.slice(from, next)) === 'bad' ? lineEnd : next;
      end = next;
    }
  }

  isHeader(text: string, from: number, to: number): boolean {
    const cells = cellsOf(text.slice(from, to));
    if (typeof cells === 'string')
      throw new LookupInputError(
        'the first line of the input is not CSV: its quotes are not closed or in the middle',
      );
    this.#width = cells.length;
    if (this.#name === undefined) return parseAddress((cells[this.#column] ?? '').trim()) === undefined;
    this.#column = cells.indexOf(bytesOf(this.#name));
    if (this.#column < 0) {
      const names = cells.map((cell) => `"${textOfBytes(cell)}"`).join(', ');
      throw new LookupInputError(`column "${this.#name}" not found: the header has ${names}`);
    }
    return true;
  }

  /** Throws LookupInputError when the header has one of the names already. */
  checkNames(header: string, names: readonly string[]): void {
    const cells = cellsOf(header);
    const taken = names.find((name) => cells.includes(bytesOf(name)));
    if (taken !== undefined)
      throw new LookupInputError(
        `the input has a column "${taken}" already: choose other names with --prefix`,
      );
  }

  read(text: string, from: number, to: number): boolean {
    if (quotesIn(text, from, to) > 0) return this.#readQuoted(text.slice(from, to));
    this.source = text;
    this.#cells = 1;
    this.start = from;
    this.end = this.#column === 0 ? to : from;
    for (let i = from; i < to; i++) {
      if (text.charCodeAt(i) !== COMMA) continue;
      if (this.#cells === this.#column) this.start = i + 1;
      if (this.#cells - 1 === this.#column) this.end = i;
      this.#cells++;
    }
    if (this.#cells - 1 === this.#column) this.end = to;
    return this.#settle();
  }

  extend(text: string, { from, to }: Span, fields: string): string {
    const missing = this.#cells < this.#width ? ','.repeat(this.#width - this.#cells) : '';
    return `${text.slice(from, to)}${missing},${fields}`;
  }

  #readQuoted(record: string): boolean {
    const cells = cellsOf(record);
    if (typeof cells === 'string') {
      this.#cells = this.#width;
      this.source = '';
      this.start = this.end = 0;
      return false;
    }
    this.#cells = cells.length;
    this.source = cells[this.#column] ?? '';
    this.start = 0;
    this.end = this.source.length;
    return this.#settle();
  }

  /** Ignores spaces around the address. A record with more cells than the first one is bad. */
  #settle(): boolean {
    const { source } = this;
    while (this.start < this.end && isSpace(source.charCodeAt(this.start))) this.start++;
    while (this.end > this.start && isSpace(source.charCodeAt(this.end - 1))) this.end--;
    return this.#cells > this.#column && this.#cells <= this.#width && this.start < this.end;
  }
}

const COMMA = 44;
const QUOTE = 34;

function quotesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === QUOTE) count++;
  return count;
}

/** Returns the cells of a record. `unclosed`: its last quote is not closed. `bad`: it is not CSV. */
function cellsOf(record: string): readonly string[] | 'unclosed' | 'bad' {
  try {
    const line = record.endsWith('\r') ? record.slice(0, -1) : record;
    const [cells = [''], ...others] = parse(line, {
      // A record has no delimiter: it is one record, with the line feeds in its cells.
      record_delimiter: '\0',
      relax_column_count: true,
    });
    return others.length === 0 ? cells : 'bad';
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'unclosed' : 'bad';
  }
}
