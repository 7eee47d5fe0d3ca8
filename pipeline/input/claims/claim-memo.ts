import type { Claim } from './claim.js';
import { TupleMemo } from '../../table/tuple-memo.js';
import type { ClaimSink } from './claim-sink.js';
import type { Note, Reason } from '../tally.js';

/**
 * The result of reading the columns of a row, without its network: a claim, which may be empty, or a rejection
 * reason.
 */
export type ColumnsRead<C = Claim> =
  { readonly refused: Reason } | { readonly claim: C; readonly notes?: readonly Note[] };

/** A ColumnsRead with its claim interned. */
export interface KnownColumns {
  readonly refused?: Reason;
  /** Absent when the claim is empty. */
  readonly claimId?: number;
  readonly notes: readonly Note[];
}

/**
 * Reads the columns of rows once per distinct combination of their texts. A feed of millions of rows has about 100,000
 * combinations, and consecutive rows often have the same one.
 */
export class ClaimMemo<C extends object = Claim> {
  readonly #columns: readonly ColumnTexts[];
  readonly #read: (fields: readonly string[]) => ColumnsRead<C>;
  readonly #sink: ClaimSink<C>;
  /** The text numbers of the current row. */
  readonly #row: Int32Array;
  /** The distinct combinations of text numbers. */
  readonly #rows: TupleMemo;
  /** By position among the distinct combinations. */
  readonly #known: KnownColumns[] = [];

  /** `read` may use only `columns`. It gets the same string object for equal texts of a column. */
  constructor(
    columns: readonly number[],
    read: (fields: readonly string[]) => ColumnsRead<C>,
    sink: ClaimSink<C>,
  ) {
    this.#columns = columns.map((column) => new ColumnTexts(column));
    this.#read = read;
    this.#sink = sink;
    this.#row = new Int32Array(columns.length);
    this.#rows = new TupleMemo(columns.length);
  }

  /** Returns what was read of the columns with a number. */
  at(number: number): KnownColumns {
    return this.#known[number]!;
  }

  /** Returns the number of the columns of a row. May replace texts in `fields` by equal ones. */
  number(fields: string[]): number {
    const row = this.#row;
    for (let i = 0; i < row.length; i++) row[i] = this.#columns[i]!.numberIn(fields);
    const position = this.#rows.number(row);
    if (position < this.#known.length) return position;
    for (const column of this.#columns) column.shareIn(fields);
    return this.#known.push(this.#intern(this.#read(fields))) - 1;
  }

  #intern(read: ColumnsRead<C>): KnownColumns {
    if ('refused' in read) return { refused: read.refused, notes: NO_NOTES };
    const { claim, notes = NO_NOTES } = read;
    return Object.keys(claim).length > 0 ? { claimId: this.#sink.intern(claim), notes } : { notes };
  }
}

const NO_NOTES: readonly Note[] = [];

/** The distinct texts of one column: a number for each, and one copy of each. */
class ColumnTexts {
  readonly #column: number;
  readonly #numbers = new Map<string, number>();
  readonly #texts = new Map<number, string>();
  /** The text of the current row, and its number. */
  #text: string | undefined;
  #number = 0;

  constructor(column: number) {
    this.#column = column;
  }

  numberIn(fields: readonly string[]): number {
    const text = fields[this.#column]!;
    if (text === this.#text) return this.#number;
    this.#text = text;
    return (this.#number = packed(text) ?? this.#numberOf(text));
  }

  /** Replaces the text of the current row by the stored copy. */
  shareIn(fields: string[]): void {
    const held = this.#texts.get(this.#number);
    if (held === undefined) this.#texts.set(this.#number, this.#text!);
    else fields[this.#column] = held;
  }

  #numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(text, number);
    }
    return number;
  }
}

/**
 * Returns a unique negative number for a text of up to three Latin-1 characters, so that codes, scores and dashes need
 * no hashing. Returns undefined for other texts.
 */
function packed(text: string): number | undefined {
  const { length } = text;
  if (length > 3) return undefined;
  let codes = length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) return undefined;
    codes = (codes << 8) | code;
  }
  return ~codes;
}
