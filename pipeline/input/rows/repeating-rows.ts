import { isUtf8 } from 'node:buffer';
import type { OpenFile } from '../published-source.js';
import { CsvLines, type CsvDialect } from './csv-lines.js';
import type { CsvVisitor } from './csv-rows.js';
import type { FieldRanges } from './field-ranges.js';
import { findLines, withoutBom, type LineBlock } from './line-block.js';
import { readLineBlocks, type LineBlockReader } from './line-blocks.js';
import { RowHead } from './row-head.js';
import { ByteMemo, viewOf } from '../../table/byte-memo.js';

/** Receives the rows of a file whose columns after the first ones, the head, are often those of an earlier row. */
export interface RepeatingVisitor extends Pick<CsvVisitor, 'bad'> {
  /** The number of columns of the head; undefined as long as all rows must be read in full. */
  readonly headColumns: number | undefined;
  /**
   * Receives a row in full. Returns a number of 0 or more by which it knows the columns after the head, or undefined when
   * the next row with the same text after the head must be read in full as well.
   */
  row(fields: string[], line: number): number | undefined;
  /**
   * Receives the head of a row with the same text after the head as an earlier row, and the number that `row` returned
   * for it. Returns false, without having done anything, to receive the row in full. `head` is reused.
   */
  repeated(head: FieldRanges, tail: number, line: number): boolean;
}

/**
 * Reads the same rows as `readCsvRows`, in the same order. Parses the text after the head only when it is new: a feed of
 * millions of rows has some thousands of such texts.
 */
export async function readRepeatingRows(
  file: Pick<OpenFile, 'id'>,
  bytes: AsyncIterable<Buffer>,
  dialect: CsvDialect,
  visitor: RepeatingVisitor,
): Promise<void> {
  await readLineBlocks(file, bytes, new RepeatingBlocks(file, dialect, visitor));
}

/** The answers of tails that have no number yet: the first row with it is parsed, or all are. */
const PENDING = -1;
const IN_FULL = -2;
/** The length of all known tails above which they are forgotten. */
const MAX_TAIL_BYTES = 64 * 1024 * 1024;
/** The tail of a line that could not be cut. */
const NO_TAIL = -1;

/** A line as the CSV parser reads it: its fields, or why it is not a row. */
type ParsedLine = string[] | { readonly reason: 'quoting' | 'encoding'; readonly excerpt: string };

class RepeatingBlocks implements LineBlockReader {
  readonly #file: Pick<OpenFile, 'id'>;
  readonly #dialect: CsvDialect;
  readonly #visitor: RepeatingVisitor;
  readonly #csv: CsvLines;
  readonly #memo = new ByteMemo();
  #head: RowHead | undefined;
  #linesBefore = 0;
  #atStart = true;
  #block: LineBlock = { bytes: Buffer.alloc(0), starts: [0] };
  /** The number of each line's tail, or NO_TAIL. */
  #tails = new Int32Array(0);
  /** The lines of the block that are parsed, in order. */
  #picked: number[] = [];
  /** What the parser read, by line of the block. */
  #parsed: (ParsedLine | undefined)[] = [];

  constructor(file: Pick<OpenFile, 'id'>, dialect: CsvDialect, visitor: RepeatingVisitor) {
    this.#file = file;
    this.#dialect = dialect;
    this.#visitor = visitor;
    this.#csv = new CsvLines(dialect, {
      row: (fields, index) => (this.#parsed[this.#picked[index]!] = fields),
      bad: (reason, index, excerpt) => (this.#parsed[this.#picked[index]!] = { reason, excerpt }),
    });
  }

  get linesRead(): number {
    return this.#linesBefore;
  }

  readBlock(bytes: Buffer): void {
    this.#block = findLines(this.#atStart ? withoutBom(bytes) : bytes, this.#file, this.#linesBefore);
    this.#atStart = false;
    const lines = this.#block.starts.length - 1;
    if (this.#tails.length < lines) this.#tails = new Int32Array(2 * lines);
    this.#picked = [];
    this.#parsed = Array<undefined>(lines).fill(undefined);
    this.#findTails(lines);
    this.#parsePicked();
    this.#handOver(lines);
    this.#linesBefore += lines;
  }

  /** Numbers the tails of the lines, and picks the lines that must be parsed. */
  #findTails(lines: number): void {
    const { headColumns } = this.#visitor;
    if (headColumns !== undefined) this.#head ??= new RowHead(headColumns, this.#dialect);
    const head = this.#head;
    const { bytes, starts } = this.#block;
    head?.setBlock(bytes);
    if (this.#memo.lengthBytes > MAX_TAIL_BYTES) this.#memo.clear();
    const view = viewOf(bytes);
    const isAllUtf8 = isUtf8(bytes);
    for (let line = 0; line < lines; line++) {
      const [start, end] = [starts[line]!, starts[line + 1]!];
      const isText = isAllUtf8 || isUtf8(bytes.subarray(start, end));
      const from = isText ? head?.cut(start, end) : undefined;
      this.#tails[line] = from === undefined ? this.#pick(line) : this.#tailAt(view, from, line);
    }
  }

  #pick(line: number): number {
    this.#picked.push(line);
    return NO_TAIL;
  }

  /** Returns the number of a tail that begins at `from`. Picks the line if the tail is new or must be read in full. */
  #tailAt(view: DataView, from: number, line: number): number {
    const memo = this.#memo;
    const known = memo.size;
    const tail = memo.number(view, from, this.#block.starts[line + 1]!, PENDING);
    if (tail === known || memo.answerOf(tail) === IN_FULL) this.#picked.push(line);
    return tail;
  }

  /** Parses the picked lines together. */
  #parsePicked(): void {
    const { bytes, starts } = this.#block;
    const parts: Buffer[] = [];
    const ends = [0];
    let size = 0;
    for (const line of this.#picked) {
      const part = bytes.subarray(starts[line], starts[line + 1]);
      parts.push(part);
      ends.push((size += part.length));
    }
    this.#csv.read({ bytes: Buffer.concat(parts, size), starts: ends });
  }

  #handOver(lines: number): void {
    let next = 0;
    const picked = this.#picked;
    for (let line = 0; line < lines; line++) {
      if (picked[next] === line) next++;
      else if (this.#repeats(line)) continue;
      else this.#parseOne(line);
      this.#handOverParsed(line);
    }
  }

  /** Hands over the head of a line that was not parsed. Returns false when the line must be parsed nevertheless. */
  #repeats(line: number): boolean {
    const answer = this.#memo.answerOf(this.#tails[line]!);
    if (answer < 0) return false;
    const { starts } = this.#block;
    const head = this.#head!;
    head.cut(starts[line]!, starts[line + 1]!);
    return this.#visitor.repeated(head.fields, answer, this.#linesBefore + line + 1);
  }

  #parseOne(line: number): void {
    const { bytes, starts } = this.#block;
    const part = bytes.subarray(starts[line], starts[line + 1]);
    const picked = this.#picked;
    this.#picked = [line];
    this.#csv.read({ bytes: part, starts: [0, part.length] });
    this.#picked = picked;
  }

  #handOverParsed(line: number): void {
    const parsed = this.#parsed[line];
    const tail = this.#tails[line]!;
    const number = this.#linesBefore + line + 1;
    let answer: number | undefined;
    if (Array.isArray(parsed)) answer = this.#visitor.row(parsed, number);
    else if (parsed !== undefined) this.#visitor.bad(parsed.reason, number, parsed.excerpt);
    if (tail === NO_TAIL) return;
    if (answer !== undefined || this.#memo.answerOf(tail) < 0) this.#memo.setAnswer(tail, answer ?? IN_FULL);
  }
}
