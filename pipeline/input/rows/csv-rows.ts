import type { OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';
import { CsvLines, type CsvDialect } from './csv-lines.js';
import { findLines, withoutBom } from './line-block.js';
import { readLineBlocks, type LineBlockReader } from './line-blocks.js';

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

function list(fault: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 60)));
  return [`${fault} column ${shown.join(', ')}${names.length > 8 ? ', …' : ''}`];
}

/** Reads blocks of complete lines and numbers their rows. */
class BlockReader implements LineBlockReader {
  readonly #file: Pick<OpenFile, 'id'>;
  readonly #lines: CsvLines;
  /** The number of lines in the blocks before this one. */
  #linesBefore = 0;
  #atStart = true;

  constructor(file: Pick<OpenFile, 'id'>, dialect: CsvDialect, visitor: CsvVisitor) {
    this.#file = file;
    this.#lines = new CsvLines(dialect, {
      row: (fields, line) => {
        visitor.row(fields, this.#linesBefore + line + 1);
      },
      bad: (reason, line, excerpt) => {
        visitor.bad(reason, this.#linesBefore + line + 1, excerpt);
      },
    });
  }

  get linesRead(): number {
    return this.#linesBefore;
  }

  readBlock(bytes: Buffer): void {
    const block = findLines(this.#atStart ? withoutBom(bytes) : bytes, this.#file, this.#linesBefore);
    this.#atStart = false;
    this.#lines.read(block);
    this.#linesBefore += block.starts.length - 1;
  }
}
