import { displayWidth, padRight } from '../text/display-width.js';
import type { LineInput, Span } from './line-input.js';
import { bytesOf, csvCell, tableCell, textOfBytes, type LookupFormat } from './notation.js';

/** Writes the rows of the output. All texts are byte strings, see `Notation`. */
export interface RowOutput {
  /** Returns the header; `first` is that of the input. */
  header(first: string | undefined): string;
  /** Returns the row of the record that the input has read last. */
  row(text: string, span: Span, fields: string): string;
  /** Returns rows that were held back. */
  rest(): string;
}

/** Returns the output of a format. Records of the same format are kept and extended; others become new rows. */
export function rowOutput(format: LookupFormat, input: LineInput, names: readonly string[]): RowOutput {
  if (format === 'table') return new TableOutput(input, names);
  if (format === input.kind) return new ExtendedOutput(input, names);
  return new NewRows(format, input, names);
}

/** Extends the records of CSV or NDJSON. */
class ExtendedOutput implements RowOutput {
  readonly #input: LineInput;
  readonly #names: readonly string[];

  constructor(input: LineInput, names: readonly string[]) {
    this.#input = input;
    this.#names = names;
  }

  header(first: string | undefined): string {
    if (first === undefined) return '';
    const { line, end } = splitLineEnd(first);
    return `${line},${this.#names.map((name) => csvCell(bytesOf(name))).join(',')}${end}`;
  }

  row(text: string, { from, to }: Span, fields: string): string {
    // A carriage return belongs to the line end.
    const isCrLf = to > from && text.charCodeAt(to - 1) === CR;
    const span = isCrLf ? { from, to: to - 1 } : { from, to };
    return `${this.#input.extend(text, span, fields)}${isCrLf ? '\r\n' : '\n'}`;
  }

  rest(): string {
    return '';
  }
}

const CR = 13;

function splitLineEnd(line: string): { readonly line: string; readonly end: string } {
  return line.endsWith('\r') ? { line: line.slice(0, -1), end: '\r\n' } : { line, end: '\n' };
}

/** Writes the address and the fields. */
class NewRows implements RowOutput {
  readonly #isCsv: boolean;
  readonly #input: LineInput;
  readonly #names: readonly string[];

  constructor(format: 'csv' | 'ndjson', input: LineInput, names: readonly string[]) {
    this.#isCsv = format === 'csv';
    this.#input = input;
    this.#names = names;
  }

  header(): string {
    return this.#isCsv ? `${['ip', ...this.#names].map((name) => csvCell(bytesOf(name))).join(',')}\n` : '';
  }

  row(_text: string, _span: Span, fields: string): string {
    const { source, start, end } = this.#input;
    const ip = source.slice(start, end);
    // Texts of addresses need no quotes.
    if (PLAIN.test(ip)) return this.#isCsv ? `${ip},${fields}\n` : `{"ip":"${ip}",${fields}}\n`;
    return this.#isCsv
      ? `${csvCell(ip)},${fields}\n`
      : `{"ip":${bytesOf(JSON.stringify(textOfBytes(ip)))},${fields}}\n`;
  }

  rest(): string {
    return '';
  }
}

const PLAIN = /^[\w.:]*$/;

/** Rows from which the widths of the columns are taken. */
const MEASURED_ROWS = 100;

/** Aligns columns by the first rows. A longer cell in a later row moves the rest of its row. */
class TableOutput implements RowOutput {
  readonly #input: LineInput;
  #held: string[][] | undefined;
  #widths: number[] = [];

  constructor(input: LineInput, names: readonly string[]) {
    this.#input = input;
    this.#held = [['ip', ...names]];
  }

  header(): string {
    return '';
  }

  row(_text: string, _span: Span, fields: string): string {
    const { source, start, end } = this.#input;
    const cells = [tableCell(textOfBytes(source.slice(start, end))), ...fields.split('\t')].map(textOfBytes);
    if (this.#held === undefined) return this.#format(cells);
    this.#held.push(cells);
    return this.#held.length > MEASURED_ROWS ? this.rest() : '';
  }

  rest(): string {
    const rows = this.#held ?? [];
    this.#held = undefined;
    for (const cells of rows)
      cells.forEach((cell, i) => (this.#widths[i] = Math.max(this.#widths[i] ?? 0, displayWidth(cell))));
    return rows.map((cells) => this.#format(cells)).join('');
  }

  #format(cells: readonly string[]): string {
    const line = cells.map((cell, i) => padRight(cell, this.#widths[i] ?? 0)).join('  ');
    return bytesOf(`${line.trimEnd()}\n`);
  }
}
