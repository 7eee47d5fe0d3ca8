import {
  columnsByName,
  readCsvRows,
  type ColumnIndexes,
  type CsvVisitor,
} from '../../input/rows/csv-rows.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import type { Reason } from '../../input/tally.js';
import { readUnpacked } from '../../input/containers/unpacked-file.js';
import { parseDay } from '../days.js';
import type { ListSink } from '../list.js';
import { PrefixBuffer } from '../../net/prefix.js';
import { withDelimiter } from './header-delimiter.js';

/** A row of an operator's list. */
export interface OperatorRow {
  readonly prefix: PrefixBuffer;
  /** The 1-based line. */
  readonly line: number;
  /** The day on which the row was added, in days since 1970. */
  readonly added?: number;
}

/** A file of an operator's rows, and how its columns besides `prefix`, `reason` and `added` are read. */
export interface OperatorFile<Column extends string, Fields> {
  readonly file: OpenFile;
  readonly sink: Pick<ListSink, 'reject'>;
  /** Called once for a file with rejected rows. */
  readonly log: (line: string) => void;
  readonly required: readonly Column[];
  readonly optional?: readonly Column[];
  /** Reads a row, or returns the reason to reject it. `field` returns a trimmed field; undefined for an empty one. */
  read(field: (column: Column) => string | undefined): Fields | Extract<Reason, 'reference'>;
}

/**
 * Reads an operator's list: a header and rows, separated by `,`, `;` or tabs, with columns in any order. Required is
 * `prefix`; `reason` is for readers only. `#` lines are comments. Logs the first rejected row, because the operator
 * expects every row to take effect. Throws FeedError `header` when the header is missing or has an unknown column.
 */
export async function readOperatorRows<Column extends string, Fields extends object>(
  source: OperatorFile<Column, Fields>,
): Promise<(OperatorRow & Fields)[]> {
  const refusals = new Refusals(source);
  const { delimiter, bytes } = await withDelimiter(readUnpacked(source.file));
  const rows = new OperatorRows({ ...source, sink: refusals }, delimiter);
  await readCsvRows(source.file, bytes, { delimiter, quote: true }, rows);
  refusals.log();
  return rows.end();
}

/** Passes rejected rows on, and logs the first one. */
class Refusals implements Pick<ListSink, 'reject'> {
  readonly #source: Pick<OperatorFile<never, object>, 'file' | 'sink' | 'log'>;
  #count = 0;
  #first: string | undefined;

  constructor(source: Pick<OperatorFile<never, object>, 'file' | 'sink' | 'log'>) {
    this.#source = source;
  }

  reject(reason: Reason, line: number, excerpt: string): void {
    this.#count++;
    this.#first ??= `line ${line}: ${REASON_TEXTS[reason] ?? reason}: ${excerpt}`;
    this.#source.sink.reject(reason, line, excerpt);
  }

  log(): void {
    if (this.#first === undefined) return;
    const rows = this.#count === 1 ? '1 row is not used' : `${this.#count} rows are not used, first`;
    this.#source.log(`${this.#source.file.id}: ${rows}: ${this.#first}`);
  }
}

const REASON_TEXTS: Partial<Record<Reason, string>> = {
  columns: 'another number of fields than the header',
  quoting: 'unbalanced quotes',
  encoding: 'invalid UTF-8',
  address: 'invalid prefix',
  date: 'invalid date, expected one like 2026-11-21',
  reference: 'unknown type or scope',
};

type Columns<Column extends string> = ColumnIndexes<'prefix' | Column, 'reason' | 'added' | Column>;

class OperatorRows<Column extends string, Fields extends object> implements CsvVisitor {
  readonly #source: OperatorFile<Column, Fields>;
  readonly #delimiter: string;
  readonly #rows: (OperatorRow & Fields)[] = [];
  #columns: Columns<Column> | undefined;
  #width = 0;

  constructor(source: OperatorFile<Column, Fields>, delimiter: string) {
    this.#source = source;
    this.#delimiter = delimiter;
  }

  row(fields: string[], line: number): void {
    if (isComment(fields[0]!)) return;
    if (!this.#columns) {
      this.#columns = this.#readHeader(fields);
      this.#width = fields.length;
      return;
    }
    const read = fields.length === this.#width ? this.#read(fields, this.#columns, line) : 'columns';
    if (typeof read === 'string') this.#source.sink.reject(read, line, fields.join(this.#delimiter));
    else this.#rows.push(read);
  }

  bad(reason: 'quoting' | 'encoding', line: number, excerpt: string): void {
    if (!isComment(excerpt)) this.#source.sink.reject(reason, line, excerpt);
  }

  /** Returns the rows. Called after the last row. */
  end(): (OperatorRow & Fields)[] {
    if (!this.#columns) throw new FeedError('header', this.#source.file.id, 'no header');
    return this.#rows;
  }

  #readHeader(fields: readonly string[]): Columns<Column> {
    const { file, required, optional = [] } = this.#source;
    const names = fields.map((name) => name.trim().toLowerCase());
    const known = {
      of: 'the header',
      required: ['prefix' as const, ...required],
      optional: ['reason' as const, 'added' as const, ...optional],
    };
    return columnsByName(names, known, file);
  }

  #read(fields: readonly string[], columns: Columns<Column>, line: number): (OperatorRow & Fields) | Reason {
    const prefix = new PrefixBuffer();
    if (!prefix.parse(fields[columns.prefix]!.trim())) return 'address';
    const date = textAt(fields, columns.added);
    const added = date === undefined ? undefined : parseDay(date);
    if (date !== undefined && added === undefined) return 'date';
    const read = this.#source.read((column) => textAt(fields, columns[column]));
    return typeof read === 'string' ? read : { ...read, prefix, line, ...(added !== undefined && { added }) };
  }
}

function isComment(text: string): boolean {
  return text.trimStart().startsWith('#');
}

function textAt(fields: readonly string[], column: number | undefined): string | undefined {
  const text = column === undefined ? '' : fields[column]!.trim();
  return text === '' ? undefined : text;
}
