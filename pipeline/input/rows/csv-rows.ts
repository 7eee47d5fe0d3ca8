import { isUtf8 } from 'node:buffer';
import { CsvError, parse, type Options } from 'csv-parse/sync';
import type { OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';
import { LINE_BYTES, lineTooLong, readLineBlocks, type LineBlockReader } from './line-blocks.js';

/** The CSV dialect of a publisher. */
export interface CsvDialect {
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** Whether fields may be in double quotes, with quotes inside doubled (RFC 4180 §2). */
  readonly quote: boolean;
}

/** Receives the rows of a file in order. Lines are 1-based. Blank lines are counted but are not rows. */
export interface CsvVisitor {
  row(fields: string[], line: number): void;
  /** Receives a line that is not a row: it has a stray or unclosed quote, or bytes that are not UTF-8. */
  bad(reason: 'quoting' | 'encoding', line: number, excerpt: string): void;
}

/**
 * Reads UTF-8 text with one row per line. No publisher breaks fields over lines, so a stray quote affects one line
 * only. Accepts a BOM, CRLF and a missing last line end. The visitor is called block by block, never concurrently.
 * Throws FeedError `container` for a line of more than 64 KB.
 */
export async function readCsvRows(
  file: Pick<OpenFile, 'id'>,
  bytes: AsyncIterable<Buffer>,
  dialect: CsvDialect,
  visitor: CsvVisitor,
): Promise<void> {
  await readLineBlocks(file, bytes, new BlockReader(file, dialect, visitor));
}

/** The required and the optional columns of a header. */
export interface ColumnNames<Required extends string, Optional extends string> {
  /** Name of the text with the header, such as a zip entry; for messages. */
  readonly of: string;
  readonly required: readonly Required[];
  /** Columns that are missing in some editions of the file. */
  readonly optional?: readonly Optional[];
}

/** The indexes of columns by name. Optional columns may be absent. */
export type ColumnIndexes<Required extends string, Optional extends string> = Readonly<
  Record<Required, number> & Partial<Record<Optional, number>>
>;

/**
 * Finds columns by their names in a header row. Throws FeedError `header` with the columns that are missing, unknown or
 * duplicate: a changed layout needs a developer and is never guessed.
 */
export function columnsByName<Required extends string, Optional extends string = never>(
  header: readonly string[],
  names: ColumnNames<Required, Optional>,
  file: Pick<OpenFile, 'id'>,
): ColumnIndexes<Required, Optional> {
  const known = new Set<string>([...names.required, ...(names.optional ?? [])]);
  const faults = [
    ...list(
      'lacks',
      names.required.filter((name) => !header.includes(name)),
    ),
    ...list(
      'has unknown',
      header.filter((name) => !known.has(name)),
    ),
    ...list(
      'repeats',
      header.filter((name, index) => header.indexOf(name) !== index),
    ),
  ];
  if (faults.length > 0) throw new FeedError('header', file.id, `${names.of} ${faults.join(', ')}`);
  const indexes = [...known]
    .filter((name) => header.includes(name))
    .map((name) => [name, header.indexOf(name)]);
  return Object.fromEntries(indexes) as ColumnIndexes<Required, Optional>;
}

const EXCERPT_BYTES = 480;
const LF = 10;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

function list(fault: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 60)));
  return [`${fault} column ${shown.join(', ')}${names.length > 8 ? ', …' : ''}`];
}

/** Parses blocks of complete lines. A block that does not parse is halved until every bad line is isolated. */
class BlockReader implements LineBlockReader {
  readonly #file: Pick<OpenFile, 'id'>;
  readonly #dialect: CsvDialect;
  readonly #visitor: CsvVisitor;
  /** The number of lines in the blocks before this one. */
  #linesBefore = 0;
  #atStart = true;
  #block: Buffer = Buffer.alloc(0);
  /** The start of each line of the block, then the end of the last line. */
  #starts: number[] = [];

  constructor(file: Pick<OpenFile, 'id'>, dialect: CsvDialect, visitor: CsvVisitor) {
    this.#file = file;
    this.#dialect = dialect;
    this.#visitor = visitor;
  }

  get linesRead(): number {
    return this.#linesBefore;
  }

  readBlock(bytes: Buffer): void {
    const hasBom = this.#atStart && bytes.subarray(0, BOM.length).equals(BOM);
    this.#atStart = false;
    this.#block = hasBom ? bytes.subarray(BOM.length) : bytes;
    this.#findLines();
    const lines = this.#starts.length - 1;
    this.#readLines(0, lines);
    this.#linesBefore += lines;
  }

  #findLines(): void {
    const block = this.#block;
    const starts = [0];
    for (let start = 0; start < block.length;) {
      const found = block.indexOf(LF, start);
      const end = found < 0 ? block.length : found + 1;
      if (end - start > LINE_BYTES) {
        throw lineTooLong(this.#file, this.#linesBefore + starts.length);
      }
      starts.push(end);
      start = end;
    }
    this.#starts = starts;
  }

  #readLines(from: number, to: number): void {
    if (from === to) return;
    const part = this.#block.subarray(this.#starts[from], this.#starts[to]);
    const records = this.#parse(part);
    if (records?.length === to - from) {
      this.#handOver(records, from);
    } else if (to - from === 1) {
      const reason = isUtf8(part) ? 'quoting' : 'encoding';
      this.#visitor.bad(reason, this.#linesBefore + to, excerptOf(part));
    } else {
      const middle = (from + to) >>> 1;
      this.#readLines(from, middle);
      this.#readLines(middle, to);
    }
  }

  #handOver(records: readonly string[][], from: number): void {
    let line = this.#linesBefore + from;
    for (const fields of records) {
      line++;
      if (fields.length > 1 || fields[0] !== '') this.#visitor.row(fields, line);
    }
  }

  /** Parses lines. With a bad line, returns another number of records than lines, or undefined. */
  #parse(part: Buffer): string[][] | undefined {
    if (!isUtf8(part)) return undefined;
    try {
      return parse(part, this.#options(part));
    } catch (error) {
      if (error instanceof CsvError) return undefined;
      throw error;
    }
  }

  #options(part: Buffer): Options {
    const quote = this.#dialect.quote && part.includes('"') ? '"' : false;
    return {
      delimiter: this.#dialect.delimiter,
      record_delimiter: part.includes('\r') ? ['\r\n', '\n'] : ['\n'],
      quote,
      escape: quote,
      relax_column_count: true,
      skip_empty_lines: false,
    };
  }
}

function excerptOf(line: Buffer): string {
  return line.subarray(0, EXCERPT_BYTES).toString('utf8').trimEnd();
}
