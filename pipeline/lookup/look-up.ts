import { newAddress, parseAddressInto, type Family } from '../net/address.js';
import { printableLine } from '../text/printable.js';
import type { AddressTexts } from './address-texts.js';
import { CsvInput } from './csv-input.js';
import { LONGEST_LINE, LookupInputError, type LineInput } from './line-input.js';
import { textOfBytes } from './notation.js';
import type { RowOutput } from './row-output.js';

/** Counts of a lookup. `lines = found + unknown + bad`; the header is not counted. */
export interface LookupCounts {
  lines: number;
  /** Addresses with a record in some dataset. */
  found: number;
  /** Addresses without one. */
  unknown: number;
  /** Lines without a valid address. */
  bad: number;
  /** The first bad line: its number from 1 in the input without the header, and its text. */
  firstBad?: { readonly line: number; readonly text: string };
}

/** The parts of a lookup. */
export interface LookupParts {
  readonly input: LineInput;
  readonly texts: AddressTexts;
  readonly output: RowOutput;
  /** The names of the added fields. */
  readonly names: readonly string[];
}

const BOM = '\u00ef\u00bb\u00bf';
const EXCERPT = 120;

/**
 * Looks up the addresses of lines that arrive in blocks, and writes blocks of rows. Keeps no more than a block, so memory
 * does not grow with the input.
 */
export class LookupStream {
  readonly counts: LookupCounts = { lines: 0, found: 0, unknown: 0, bad: 0 };
  readonly #parts: LookupParts;
  readonly #address = newAddress();
  #rest = '';
  #isBegun = false;

  constructor(parts: LookupParts) {
    this.#parts = parts;
  }

  /** Returns the rows of the lines that are complete with this block. Throws LookupInputError, MmdbError. */
  add(block: Buffer): Buffer {
    return Buffer.from(this.#take(this.#rest + block.toString('latin1'), false), 'latin1');
  }

  /** Returns the rows that are left after the last block. */
  end(): Buffer {
    const rows = this.#take(this.#rest === '' ? '' : `${this.#rest}\n`, true);
    const header = this.#isBegun ? '' : this.#parts.output.header(undefined);
    return Buffer.from(header + rows + this.#parts.output.rest(), 'latin1');
  }

  #take(text: string, isLast: boolean): string {
    const { input } = this.#parts;
    let rows = '';
    let from = 0;
    if (!this.#isBegun) {
      const begun = this.#begin(text, isLast);
      if (begun === undefined) {
        this.#keep(text);
        return '';
      }
      ({ rows, from } = begun);
    }
    for (let end = input.recordEnd(text, from, isLast); end >= 0; end = input.recordEnd(text, from, isLast)) {
      rows += this.#row(text, from, end);
      from = end + 1;
    }
    this.#keep(text.slice(from));
    return rows;
  }

  #keep(rest: string): void {
    if (rest.length > LONGEST_LINE)
      throw new LookupInputError(
        `line ${this.counts.lines + 1} of the input is longer than ${LONGEST_LINE} bytes`,
      );
    this.#rest = rest;
  }

  /** Writes the header. Returns undefined while the first record is incomplete. */
  #begin(text: string, isLast: boolean): { rows: string; from: number } | undefined {
    const { input, output, names } = this.#parts;
    const from = text.startsWith(BOM) ? BOM.length : 0;
    const end = input.recordEnd(text, from, isLast);
    if (end < 0) return undefined;
    this.#isBegun = true;
    if (!input.isHeader(text, from, end)) return { rows: output.header(undefined), from };
    if (input instanceof CsvInput) input.checkNames(text.slice(from, end), names);
    return { rows: output.header(text.slice(0, end)), from: end + 1 };
  }

  #row(text: string, from: number, to: number): string {
    const { input, texts, output } = this.#parts;
    const { counts } = this;
    counts.lines++;
    const family = input.read(text, from, to) ? this.#parse() : undefined;
    if (family === undefined) {
      counts.bad++;
      counts.firstBad ??= { line: counts.lines, text: excerptOf(text.slice(from, to)) };
      return output.row(text, { from, to }, texts.empty);
    }
    const fields = texts.textOf(this.#address, family);
    if (texts.isFound) counts.found++;
    else counts.unknown++;
    return output.row(text, { from, to }, fields);
  }

  #parse(): Family | undefined {
    const { source, start, end } = this.#parts.input;
    return parseAddressInto(source, this.#address, start, end);
  }
}

function excerptOf(line: string): string {
  return printableLine(textOfBytes(line.trimEnd()), EXCERPT);
}
