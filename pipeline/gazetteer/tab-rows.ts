import { isUtf8 } from 'node:buffer';
import { readPlain } from '../input/containers/containers.js';
import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import { readLineBlocks, type LineBlockReader } from '../input/rows/line-blocks.js';
import type { Tally } from '../input/tally.js';
import { withZip } from '../input/containers/zip-archive.js';

/** The layout of a file of tab-separated rows, and what to do with them. */
export interface TabRows {
  /** The number of fields. The first row must have this number. */
  readonly columns: number;
  /** The entry to read if the file is a zip. */
  readonly entry: string;
  /** The expected first row, if it names the columns. */
  readonly header?: string;
  readonly tally: Tally;
  /** Returns false for a line that is not needed; it is counted as accepted and not parsed. */
  readonly wanted?: (line: string) => boolean;
  /** Reads a row. Returns true if it is accepted, else the reason. */
  readonly row: (fields: string[]) => true | 'country' | 'reference' | 'columns';
}

/**
 * Reads UTF-8 rows without quoting, the format of GeoNames, from a plain file or a zip. Skips empty lines and lines
 * that start with `#`. Throws FeedError: `header` if the first row has other columns, `tolerance` if more than 1 % of
 * the rows are rejected, `truncated` without rows. Also throws the errors of the container.
 */
export async function readTabRows(file: OpenFile, rows: TabRows): Promise<void> {
  const reader = new LineReader(file, rows);
  if (file.container === 'zip') {
    await withZip(file, (zip) => readLineBlocks(file, zip.read(rows.entry), reader));
  } else {
    await readLineBlocks(file, readPlain(file), reader);
  }
  const { rows: total, rejected } = rows.tally;
  if (total === 0) throw new FeedError('truncated', file.id, 'the file has no rows');
  if (rejected > total * TOLERANCE) {
    throw new FeedError('tolerance', file.id, `${rejected} of ${total} rows rejected, allowed: 1 %`);
  }
}

const TOLERANCE = 0.01;

const LF = 10;

/** Splits blocks into lines. Decodes text per block, because decoding per line would double the time. */
class LineReader implements LineBlockReader {
  readonly #file: OpenFile;
  readonly #rows: TabRows;
  #line = 0;
  #header: string | undefined;
  #sawRow = false;

  constructor(file: OpenFile, rows: TabRows) {
    this.#file = file;
    this.#rows = rows;
    this.#header = rows.header;
  }

  get linesRead(): number {
    return this.#line;
  }

  readBlock(block: Buffer): void {
    if (!isUtf8(block)) {
      this.#readMixedBlock(block);
      return;
    }
    const text = block.toString('utf8');
    for (let start = 0; start < text.length;) {
      const found = text.indexOf('\n', start);
      const end = found < 0 ? text.length : found;
      this.#readLine(text.slice(start, end));
      start = end + 1;
    }
  }

  /** Reads a block with invalid UTF-8 line by line and rejects only the bad lines. */
  #readMixedBlock(block: Buffer): void {
    for (let start = 0; start < block.length;) {
      const found = block.indexOf(LF, start);
      const end = found < 0 ? block.length : found;
      const line = block.subarray(start, end);
      if (isUtf8(line)) {
        this.#readLine(line.toString('utf8'));
      } else {
        this.#line++;
        this.#rows.tally.reject('encoding', this.#line, line.toString('latin1'));
      }
      start = end + 1;
    }
  }

  #readLine(raw: string): void {
    const { tally, wanted } = this.#rows;
    this.#line++;
    const line = trimmed(raw, this.#line === 1);
    if (line === '' || line.startsWith('#')) return;
    if (this.#header !== undefined) {
      this.#readHeader(line, this.#header);
      this.#header = undefined;
      return;
    }
    if (this.#sawRow && wanted !== undefined && !wanted(line)) {
      tally.accept();
      return;
    }
    const fields = line.split('\t');
    if (!this.#sawRow) this.#refuseOtherLayout(fields);
    const answer = fields.length === this.#rows.columns ? this.#rows.row(fields) : 'columns';
    if (answer === true) tally.accept();
    else tally.reject(answer, this.#line, line);
  }

  #readHeader(line: string, header: string): void {
    if (line === header) return;
    throw new FeedError('header', this.#file.id, `unexpected header ${JSON.stringify(line.slice(0, 120))}`);
  }

  #refuseOtherLayout(fields: readonly string[]): void {
    this.#sawRow = true;
    const { columns } = this.#rows;
    if (fields.length === columns) return;
    throw new FeedError(
      'header',
      this.#file.id,
      `the first row has ${fields.length} fields, expected ${columns}`,
    );
  }
}

/** Removes a byte order mark and the CR of CRLF. */
function trimmed(line: string, isFirst: boolean): string {
  const start = isFirst && line.startsWith('\ufeff') ? 1 : 0;
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  return start === 0 && end === line.length ? line : line.slice(start, end);
}
