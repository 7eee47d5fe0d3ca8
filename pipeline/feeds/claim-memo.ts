import type { Claim } from './claim.js';
import { TupleMemo } from '../table/tuple-memo.js';
import type { ClaimSink } from './feed.js';
import type { Note, Reason } from './tally.js';

/** What the columns of a row say, its network aside: a claim (an empty one says nothing), or why it is refused. */
export type ColumnsRead<C = Claim> =
  { readonly refused: Reason } | { readonly claim: C; readonly notes?: readonly Note[] };

/** The same, interned. */
export interface KnownColumns {
  readonly refused?: Reason;
  /** Absent when the row says nothing. */
  readonly claimId?: number;
  readonly notes: readonly Note[];
}

/**
 * Reads columns once per distinct text of theirs: a feed of millions of rows says some 100,000 different things, and
 * often the same as in the row before.
 */
export class ClaimMemo<C extends object = Claim> {
  readonly #columns: readonly ColumnTexts[];
  readonly #read: (fields: readonly string[]) => ColumnsRead<C>;
  readonly #sink: ClaimSink<C>;
  /** Numbers of the texts of the row at hand, and of all rows that differ. */
  readonly #row: Int32Array;
  readonly #rows: TupleMemo;
  /** By position among the rows that differ. */
  readonly #known: KnownColumns[] = [];

  /** `read` may look at `columns` alone, and gets the same string for equal texts of a column. */
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

  /** What the row says, which may be kept. Its texts may be exchanged for equal ones. */
  of(fields: string[]): KnownColumns {
    const row = this.#row;
    for (let i = 0; i < row.length; i++) row[i] = this.#columns[i]!.numberIn(fields);
    const position = this.#rows.number(row);
    const known = this.#known[position];
    if (known !== undefined) return known;
    for (const column of this.#columns) column.shareIn(fields);
    const read = this.#intern(this.#read(fields));
    this.#known.push(read);
    return read;
  }

  #intern(read: ColumnsRead<C>): KnownColumns {
    if ('refused' in read) return { refused: read.refused, notes: NO_NOTES };
    const { claim, notes = NO_NOTES } = read;
    return Object.keys(claim).length > 0 ? { claimId: this.#sink.intern(claim), notes } : { notes };
  }
}

const NO_NOTES: readonly Note[] = [];

/** The texts of one column, numbered, and one copy of each. */
class ColumnTexts {
  readonly #column: number;
  readonly #numbers = new Map<string, number>();
  readonly #texts = new Map<number, string>();
  /** Of the row at hand, and its number. */
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

  /** Exchanges the text of the row at hand for the copy that is kept. */
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
 * A negative number that no other text has, for up to three Latin letters: codes, ages, scores and dashes are found
 * without hashing them. Absent for other texts.
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
