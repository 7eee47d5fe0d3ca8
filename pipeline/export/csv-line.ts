import type { MmdbValue } from '../mmdb/decode.js';
import { FieldReader } from '../mmdb/field-reader.js';
import type { Dataset } from './dataset.js';
import type { Column } from './columns.js';

/** Lines by a hash of the offset; a power of two. */
const CACHED_LINES = 1 << 14;

/**
 * Encodes the fields of records as the end of a CSV line (RFC 4180, but LF), from the comma after the network. The
 * lines of records that occur again soon are kept.
 */
export class CsvLines {
  readonly #fields: FieldReader<string>;
  readonly #lines: (Buffer | undefined)[] = new Array<undefined>(CACHED_LINES);
  readonly #offsets = new Float64Array(CACHED_LINES).fill(-1);

  constructor(dataset: Dataset, columns: readonly Column[]) {
    this.#fields = new FieldReader(
      dataset.layout,
      columns.map(({ path }) => path),
      { encode: csvText, absent: '' },
    );
  }

  /** Returns the line of the record at an offset in the data section. Callers do not change it. */
  lineOf(offset: number): Buffer {
    const slot = (offset ^ (offset >>> 11)) & (CACHED_LINES - 1);
    if (this.#offsets[slot] === offset) return this.#lines[slot]!;
    let line = '';
    this.#fields.read(offset);
    for (const value of this.#fields.values) line += `,${value}`;
    this.#offsets[slot] = offset;
    return (this.#lines[slot] = Buffer.from(`${line}\n`));
  }
}

/** Encodes a value as a CSV field. True is 1, as in MaxMind's files; lists are joined by spaces. */
export function csvText(value: MmdbValue): string {
  if (typeof value === 'string') return MUST_QUOTE.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Array.isArray(value)) return csvText(value.join(' '));
  return typeof value === 'object' ? csvText(JSON.stringify(value)) : String(value);
}

const MUST_QUOTE = /[",\r\n]|^[ #]| $/;
