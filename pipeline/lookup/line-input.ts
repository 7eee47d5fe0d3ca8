/** Kinds of input. */
export type InputKind = 'text' | 'csv' | 'ndjson';

/** The input cannot be used as asked. `line` is 1-based. */
export class LookupInputError extends Error {
  override readonly name = 'LookupInputError';
}

/** A longer line is not read: memory would grow with the input. */
export const LONGEST_LINE = 1 << 20;

/**
 * Reads the records of an input: mostly lines. Texts are byte strings, see `Notation`. `read` leaves its result in the
 * fields, as it is called for each line.
 */
export interface LineInput {
  readonly kind: InputKind;
  /** Where the address of the last record is: in `source`, from `start` to `end`. */
  readonly source: string;
  readonly start: number;
  readonly end: number;
  /**
   * Returns the index of the line feed at the end of the record that begins at `from`. Returns -1 if the text does not
   * contain it; `isLast` means that no text follows.
   */
  recordEnd(text: string, from: number, isLast: boolean): number;
  /** Returns whether the first record is a header. Throws LookupInputError when the header lacks the column. */
  isHeader(text: string, from: number, to: number): boolean;
  /** Finds the address of a record, without its line end. Returns whether the record has the field. */
  read(text: string, from: number, to: number): boolean;
  /** Returns the record that was read last with fields behind its own ones. */
  extend(text: string, { from, to }: Span, fields: string): string;
}

/** A part of a text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Lines with one address each. Spaces around it are ignored. */
export class TextInput implements LineInput {
  readonly kind = 'text';
  source = '';
  start = 0;
  end = 0;

  recordEnd(text: string, from: number): number {
    return text.indexOf('\n', from);
  }

  isHeader(): boolean {
    return false;
  }

  read(text: string, from: number, to: number): boolean {
    this.source = text;
    this.start = from;
    this.end = to;
    while (this.start < this.end && isSpace(text.charCodeAt(this.start))) this.start++;
    while (this.end > this.start && isSpace(text.charCodeAt(this.end - 1))) this.end--;
    return this.start < this.end;
  }

  extend(text: string, { from, to }: Span): string {
    return text.slice(from, to);
  }
}

/** Returns whether a character is a space, a tab or a carriage return. */
export function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}
