import { isUtf8 } from 'node:buffer';
import { readPlain } from '../feeds/containers.js';
import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import type { Tally } from '../feeds/tally.js';
import { withZip } from '../feeds/zip-archive.js';

/** How a file of tab-separated rows is read. */
export interface TabRows {
  /** Fields of every row; the first row must have as many. */
  readonly columns: number;
  /** Entry of the zip, where the file is one. */
  readonly entry: string;
  /** The first row names the columns, and must be this. */
  readonly header?: string;
  readonly tally: Tally;
  /** False for a line whose row nobody needs: it is counted and not taken apart. */
  readonly wanted?: (line: string) => boolean;
  /** Takes a row; true when it is one, else why it is none. */
  readonly row: (fields: string[]) => true | 'country' | 'reference' | 'columns';
}

/**
 * Reads UTF-8 rows without quoting, as GeoNames writes them, from a plain file or from a zip. Lines that begin with `#`
 * and blank lines are no rows. Throws FeedError `header` when the first row has other columns, `tolerance` when over
 * 1 % of the rows are refused, `truncated` when there are none, and what the container throws.
 */
export async function readTabRows(file: OpenFile, rows: TabRows): Promise<void> {
  const reader = new LineReader(file, rows);
  if (file.container === 'zip') {
    await withZip(file, (zip) => reader.readAll(zip.read(rows.entry)));
  } else {
    await reader.readAll(readPlain(file));
  }
  const { rows: total, rejected } = rows.tally;
  if (total === 0) throw new FeedError('truncated', file.id, 'no rows');
  if (rejected > total * TOLERANCE) {
    throw new FeedError('tolerance', file.id, `${rejected} of ${total} rows rejected`);
  }
}

const TOLERANCE = 0.01;
const BLOCK_BYTES = 256 * 1024;
const LINE_BYTES = 64 * 1024;
const LF = 10;

/** Cuts blocks into lines; text is decoded a block at a time because a line at a time costs as much as the rest. */
class LineReader {
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

  async readAll(bytes: AsyncIterable<Buffer>): Promise<void> {
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    for await (const chunk of bytes) {
      pending.push(chunk);
      pendingBytes += chunk.length;
      if (pendingBytes < BLOCK_BYTES) continue;
      const block = Buffer.concat(pending, pendingBytes);
      const end = block.lastIndexOf(LF) + 1;
      this.#readBlock(block.subarray(0, end));
      const rest = block.subarray(end);
      if (rest.length > LINE_BYTES) {
        throw new FeedError(
          'container',
          this.#file.id,
          `line ${this.#line + 1} is over 64 KB: no text of rows`,
        );
      }
      pending = [rest];
      pendingBytes = rest.length;
    }
    this.#readBlock(Buffer.concat(pending, pendingBytes));
  }

  #readBlock(block: Buffer): void {
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

  /** A block with bytes that are not UTF-8, line by line: only the bad lines are lost. */
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
    throw new FeedError('header', this.#file.id, `header ${JSON.stringify(line.slice(0, 120))}`);
  }

  #refuseOtherLayout(fields: readonly string[]): void {
    this.#sawRow = true;
    const { columns } = this.#rows;
    if (fields.length === columns) return;
    throw new FeedError(
      'header',
      this.#file.id,
      `the first row has ${fields.length} fields, ${columns} expected`,
    );
  }
}

/** Without a byte order mark and the CR of CRLF. */
function trimmed(line: string, isFirst: boolean): string {
  const start = isFirst && line.startsWith('\ufeff') ? 1 : 0;
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  return start === 0 && end === line.length ? line : line.slice(start, end);
}
