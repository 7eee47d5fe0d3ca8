import { isUtf8 } from 'node:buffer';
import { CsvError, parse, type Options } from 'csv-parse/sync';
import type { OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';

/** How a publisher writes rows. */
export interface CsvDialect {
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** Fields may stand in double quotes, a quote inside is doubled (RFC 4180 §2). */
  readonly quote: boolean;
}

/** Receives the rows of a file in order. Lines are 1-based and count blank lines, which are not rows. */
export interface CsvVisitor {
  row(fields: string[], line: number): void;
  /** A line that is no row: a stray or unclosed quote, or bytes that are not UTF-8. */
  bad(reason: 'quoting' | 'encoding', line: number, excerpt: string): void;
}

/**
 * Reads UTF-8 text, a row per line: no publisher breaks a field over lines, so a stray quote costs one line. A BOM,
 * CRLF and a missing line end at the end are fine. The visitor is called block by block, never concurrently.
 * Throws FeedError `container` at a line over 64 KB.
 */
export async function readCsvRows(
  file: Pick<OpenFile, 'id'>,
  bytes: AsyncIterable<Buffer>,
  dialect: CsvDialect,
  visitor: CsvVisitor,
): Promise<void> {
  const reader = new BlockReader(file, dialect, visitor);
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of bytes) {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < BLOCK_BYTES) continue;
    const rest = reader.readWholeLines(Buffer.concat(pending, pendingBytes));
    pending = [rest];
    pendingBytes = rest.length;
  }
  reader.readAll(Buffer.concat(pending, pendingBytes));
}

/** Column names a header must and may hold. */
export interface ColumnNames<Required extends string, Optional extends string> {
  /** What the header belongs to, for messages, e.g. the entry of a zip. */
  readonly of: string;
  readonly required: readonly Required[];
  /** Columns that older or newer editions of the file lack. */
  readonly optional?: readonly Optional[];
}

/** Indexes of columns; an optional one is absent where the header lacks it. */
export type ColumnIndexes<Required extends string, Optional extends string> = Readonly<
  Record<Required, number> & Partial<Record<Optional, number>>
>;

/**
 * Finds columns by their names in a header row. Throws FeedError `header` naming the columns that are missing,
 * unknown or there twice: a changed layout is looked at by people, never guessed.
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

/** Bytes handed to the parser at a time: large enough to forget its set-up, small enough to stay in the cache. */
const BLOCK_BYTES = 256 * 1024;
const LINE_BYTES = 64 * 1024;
const EXCERPT_BYTES = 480;
const LF = 10;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

function list(fault: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 60)));
  return [`${fault} column ${shown.join(', ')}${names.length > 8 ? ', …' : ''}`];
}

/** Parses blocks of whole lines. A block that does not parse is halved until the bad lines stand alone. */
class BlockReader {
  readonly #file: Pick<OpenFile, 'id'>;
  readonly #dialect: CsvDialect;
  readonly #visitor: CsvVisitor;
  /** Lines of the blocks before this one. */
  #linesBefore = 0;
  #atStart = true;
  #block: Buffer = Buffer.alloc(0);
  /** Where each line of the block begins, and behind them where the last one ends. */
  #starts: number[] = [];

  constructor(file: Pick<OpenFile, 'id'>, dialect: CsvDialect, visitor: CsvVisitor) {
    this.#file = file;
    this.#dialect = dialect;
    this.#visitor = visitor;
  }

  /** Reads all but a last line without end, which is given back. */
  readWholeLines(bytes: Buffer): Buffer {
    const end = bytes.lastIndexOf(LF) + 1;
    if (end > 0) this.readAll(bytes.subarray(0, end));
    const rest = bytes.subarray(end);
    if (rest.length > LINE_BYTES) this.#refuseLine();
    return rest;
  }

  readAll(bytes: Buffer): void {
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
        this.#linesBefore += starts.length - 1;
        this.#refuseLine();
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

  /** One record per line, or something else where a line is bad: fewer records, or absent. */
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

  #refuseLine(): never {
    const line = this.#linesBefore + 1;
    throw new FeedError(
      'container',
      this.#file.id,
      `line ${line} is over ${LINE_BYTES / 1024} KB: no text of rows`,
    );
  }
}

function excerptOf(line: Buffer): string {
  return line.subarray(0, EXCERPT_BYTES).toString('utf8').trimEnd();
}
