import { readFileSync } from 'node:fs';
import { RecordFinder, NO_RECORD } from '../mmdb/record-finder.js';
import { parseAddress } from '../net/address.js';

/** Returns the lines that a client should answer, from our own reader. */
export function expectedLines(
  file: string,
  fields: readonly string[],
  addresses: readonly string[],
): string[] {
  const finder = new RecordFinder(readFileSync(file));
  const decoder = finder.fieldsOf(Object.fromEntries(fields.map((path) => [path.split('.')[0]!, true])));
  return addresses.map((text) => {
    const { address, family } = parseAddress(text)!;
    const offset = finder.find(address, family);
    return lineOf(offset === NO_RECORD ? undefined : decoder.decode(offset), fields);
  });
}

/** Returns the values of a record at paths, with tabs between them. */
export function lineOf(record: unknown, fields: readonly string[]): string {
  return fields.map((path) => textOf(record, path)).join('\t');
}

function textOf(record: unknown, path: string): string {
  const value = path.split('.').reduce<unknown>((at, key) => {
    return typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[key] : undefined;
  }, record);
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : value === true
      ? 'true'
      : '';
}

/** Returns the first difference as text, or undefined when a client answered what is expected. */
export function differenceOf(
  addresses: readonly string[],
  expected: readonly string[],
  found: readonly string[],
): string | undefined {
  if (found.length !== addresses.length) return `${found.length} answers to ${addresses.length} addresses`;
  const at = addresses.findIndex((_, i) => normal(expected[i]!) !== normal(found[i]!));
  return at < 0
    ? undefined
    : `${addresses[at]!}: "${shown(found[at]!)}" instead of "${shown(expected[at]!)}"`;
}

/** Numbers have at most four decimals, as clients print doubles in different ways. A client may leave out last tabs. */
function normal(line: string): string {
  const values = line.trimEnd().split('\t');
  return values
    .map((text) => (/^-?\d+\.\d+$/.test(text) ? String(Number(Number(text).toFixed(4))) : text))
    .join('\t');
}

function shown(line: string): string {
  return line.trimEnd().replaceAll('\t', ', ');
}
