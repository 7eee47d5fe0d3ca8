import { isUtf8 } from 'node:buffer';
import { CsvError, parse, type Options } from 'csv-parse/sync';
import type { LineBlock } from './line-block.js';

/** The CSV dialect of a publisher. */
export interface CsvDialect {
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** Whether fields may be in double quotes, with quotes inside doubled (RFC 4180 §2). */
  readonly quote: boolean;
}

/** Receives the lines of a block in order. `line` is the 0-based index in the block. Blank lines are left out. */
export interface CsvLineVisitor {
  row(fields: string[], line: number): void;
  /** Receives a line that is not a row: it has a stray or unclosed quote, or bytes that are not UTF-8. */
  bad(reason: 'quoting' | 'encoding', line: number, excerpt: string): void;
}

/** Parses blocks of complete lines. A block that does not parse is halved until every bad line is isolated. */
export class CsvLines {
  readonly #dialect: CsvDialect;
  readonly #visitor: CsvLineVisitor;

  constructor(dialect: CsvDialect, visitor: CsvLineVisitor) {
    this.#dialect = dialect;
    this.#visitor = visitor;
  }

  /** Reads the lines of a block from `from` to `to` (exclusive), by default all. */
  read(block: LineBlock, from = 0, to = block.starts.length - 1): void {
    if (from === to) return;
    const part = block.bytes.subarray(block.starts[from], block.starts[to]);
    const records = this.#parse(part);
    if (records?.length === to - from) {
      this.#handOver(records, from);
    } else if (to - from === 1) {
      this.#visitor.bad(isUtf8(part) ? 'quoting' : 'encoding', from, excerptOf(part));
    } else {
      const middle = (from + to) >>> 1;
      this.read(block, from, middle);
      this.read(block, middle, to);
    }
  }

  #handOver(records: readonly string[][], from: number): void {
    let line = from;
    for (const fields of records) {
      if (fields.length > 1 || fields[0] !== '') this.#visitor.row(fields, line);
      line++;
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

const EXCERPT_BYTES = 480;

function excerptOf(line: Buffer): string {
  return line.subarray(0, EXCERPT_BYTES).toString('utf8').trimEnd();
}
