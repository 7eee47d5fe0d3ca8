import { columnsByName, readCsvRows, type ColumnIndexes, type CsvVisitor } from '../feeds/csv-rows.js';
import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import type { Reason } from '../feeds/tally.js';
import { readUnpacked } from '../feeds/unpacked-file.js';
import { parseDay } from '../lists/days.js';
import type { ListSink } from '../lists/list.js';
import { PrefixBuffer } from '../net/prefix.js';
import { withDelimiter } from './header-delimiter.js';

/** What an operator says of a prefix; each row has a prefix of its own to keep. */
export interface OperatorRow {
  readonly prefix: PrefixBuffer;
  /** 1-based. */
  readonly line: number;
  /** Day on which it was added, in days since 1970; absent where the row does not say. */
  readonly added?: number;
}

/** A file of an operator's rows and what its columns beside `prefix`, `reason` and `added` come to. */
export interface OperatorFile<Column extends string, Said> {
  readonly file: OpenFile;
  readonly sink: Pick<ListSink, 'reject'>;
  /** Told once of a file with rows that are refused. */
  readonly log: (line: string) => void;
  readonly required: readonly Column[];
  readonly optional?: readonly Column[];
  /** What a row says, its fields trimmed and absent where empty; or why it is refused. */
  read(field: (column: Column) => string | undefined): Said | Extract<Reason, 'reference'>;
}

/**
 * Reads an operator's own list: a header and rows, separated by `,`, `;` or tabs, columns by name in any order, among
 * them `prefix` and for people `reason`; `#` lines are comments. What a slip costs is told with its line: these rows are
 * few, and somebody waits for them to work. Throws FeedError `header` when there is no header or a column is unknown.
 */
export async function readOperatorRows<Column extends string, Said extends object>(
  source: OperatorFile<Column, Said>,
): Promise<(OperatorRow & Said)[]> {
  const refusals = new Refusals(source);
  const { delimiter, bytes } = await withDelimiter(readUnpacked(source.file));
  const rows = new OperatorRows({ ...source, sink: refusals }, delimiter);
  await readCsvRows(source.file, bytes, { delimiter, quote: true }, rows);
  refusals.tell();
  return rows.end();
}

/** Hands refusals on, and tells the first one. */
class Refusals implements Pick<ListSink, 'reject'> {
  readonly #source: Pick<OperatorFile<never, object>, 'file' | 'sink' | 'log'>;
  #count = 0;
  #first: string | undefined;

  constructor(source: Pick<OperatorFile<never, object>, 'file' | 'sink' | 'log'>) {
    this.#source = source;
  }

  reject(reason: Reason, line: number, excerpt: string): void {
    this.#count++;
    this.#first ??= `line ${line}: ${IN_WORDS[reason] ?? reason}: ${excerpt}`;
    this.#source.sink.reject(reason, line, excerpt);
  }

  tell(): void {
    if (this.#first === undefined) return;
    const more = this.#count > 1 ? ` (and ${this.#count - 1} more)` : '';
    this.#source.log(`${this.#source.file.id}: a row is not used${more}, ${this.#first}`);
  }
}

const IN_WORDS: Partial<Record<Reason, string>> = {
  columns: 'not as many fields as the header has',
  quoting: 'a quote too many or too few',
  encoding: 'not UTF-8',
  address: 'no prefix',
  date: 'no date like 2026-11-21',
  reference: 'no type or scope that is known',
};

type Columns<Column extends string> = ColumnIndexes<'prefix' | Column, 'reason' | 'added' | Column>;

class OperatorRows<Column extends string, Said extends object> implements CsvVisitor {
  readonly #source: OperatorFile<Column, Said>;
  readonly #delimiter: string;
  readonly #rows: (OperatorRow & Said)[] = [];
  #columns: Columns<Column> | undefined;
  #width = 0;

  constructor(source: OperatorFile<Column, Said>, delimiter: string) {
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

  /** To be called behind the last row. */
  end(): (OperatorRow & Said)[] {
    if (!this.#columns) throw new FeedError('header', this.#source.file.id, 'there is no header');
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

  #read(fields: readonly string[], columns: Columns<Column>, line: number): (OperatorRow & Said) | Reason {
    const prefix = new PrefixBuffer();
    if (!prefix.parse(fields[columns.prefix]!.trim())) return 'address';
    const date = textAt(fields, columns.added);
    const added = date === undefined ? undefined : parseDay(date);
    if (date !== undefined && added === undefined) return 'date';
    const said = this.#source.read((column) => textAt(fields, columns[column]));
    return typeof said === 'string' ? said : { ...said, prefix, line, ...(added !== undefined && { added }) };
  }
}

function isComment(text: string): boolean {
  return text.trimStart().startsWith('#');
}

function textAt(fields: readonly string[], column: number | undefined): string | undefined {
  const text = column === undefined ? '' : fields[column]!.trim();
  return text === '' ? undefined : text;
}
