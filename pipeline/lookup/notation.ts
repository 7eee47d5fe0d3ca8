import { printableLine } from '../text/printable.js';
import type { FieldValue } from './fields.js';

/** Formats of the output. */
export const LOOKUP_FORMATS = ['table', 'csv', 'ndjson'] as const;
export type LookupFormat = (typeof LOOKUP_FORMATS)[number];

/**
 * How the added fields are written. All texts are byte strings: each character is a byte of UTF-8. Input that is not
 * UTF-8 therefore stays as it is.
 */
export interface Notation {
  readonly separator: string;
  /** Writes a field. Undefined for a line without an address. */
  field(name: string, value: FieldValue | undefined): string;
}

/** The notations by format. In a table, tabs separate cells. */
export const NOTATIONS: Readonly<Record<LookupFormat, Notation>> = {
  table: { separator: '\t', field: (_, value) => tableCell(textOf(value)) },
  csv: { separator: ',', field: (_, value) => csvCell(bytesOf(textOf(value))) },
  ndjson: {
    separator: ',',
    field: (name, value) => bytesOf(`${JSON.stringify(name)}:${JSON.stringify(value ?? null)}`),
  },
};

function textOf(value: FieldValue | undefined): string {
  return value === undefined || value === null ? '' : String(value);
}

/** Converts text to a byte string. */
export function bytesOf(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** Converts a byte string to text. Bytes that are not UTF-8 become U+FFFD. */
export function textOfBytes(bytes: string): string {
  return NOT_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Quotes a cell where RFC 4180 needs it. */
export function csvCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Escapes a cell of a table: a tab too. */
export function tableCell(text: string): string {
  return bytesOf(printableLine(text, LONGEST_CELL));
}

const LONGEST_CELL = 200;
