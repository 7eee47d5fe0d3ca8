import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { parseJson } from '../text/parse-json.js';

/** The kinds of columns: unsigned integers of 8, 16 and 32 bits, doubles, and texts. */
interface ColumnTypes {
  readonly u8: Uint8Array<ArrayBuffer>;
  readonly u16: Uint16Array<ArrayBuffer>;
  readonly u32: Uint32Array<ArrayBuffer>;
  readonly f64: Float64Array<ArrayBuffer>;
  readonly text: readonly string[];
}
type ColumnKind = keyof ColumnTypes;

/** The kind of each column of a file, by name. */
export type ColumnSpec = Readonly<Record<string, ColumnKind>>;

/** The values of the columns of a file, by name. */
export type Columns<Spec extends ColumnSpec> = { readonly [Name in keyof Spec]: ColumnTypes[Spec[Name]] };

/** Thrown when a file does not contain the expected columns. */
export class ColumnFileError extends Error {
  override readonly name = 'ColumnFileError';

  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
  }
}

/**
 * Writes columns to a new file and syncs it. The file is a line of JSON with the name, kind and byte length of each
 * column, then the columns. Each column begins at a multiple of 8 bytes and has the byte order of this machine. A text
 * column is a JSON array. The format is for caches only: `readColumns` is its only reader.
 */
export function writeColumns<Spec extends ColumnSpec>(
  path: string,
  spec: Spec,
  columns: { readonly [Name in keyof Spec]: ColumnTypes[Spec[Name]] | Loose<Spec[Name]> },
): void {
  const names = Object.keys(spec);
  const parts = names.map((name) => bytesOf(columns[name]!));
  const heads = names.map((name, i) => ({ name, kind: spec[name], bytes: parts[i]!.length }));
  const head = Buffer.from(`${JSON.stringify({ format: FORMAT, columns: heads })}\n`);
  const file = openSync(path, 'w');
  try {
    for (const part of [head, ...parts]) {
      writeAll(file, part);
      writeAll(file, new Uint8Array(padding(part.length)));
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reads a file of `writeColumns`. Throws ColumnFileError when its columns differ from `spec` or are incomplete. */
export function readColumns<Spec extends ColumnSpec>(path: string, spec: Spec): Columns<Spec> {
  const bytes = readWhole(path);
  const end = bytes.indexOf(LF);
  const expected = Object.entries(spec).map(([name, kind]) => ({ name, kind }));
  const lengths = lengthsIn(end < 0 ? '' : Buffer.from(bytes.subarray(0, end)).toString(), expected);
  if (!lengths)
    throw new ColumnFileError(
      path,
      `its first line does not describe the columns ${Object.keys(spec).join(', ')}`,
    );
  let at = end + 1 + padding(end + 1);
  const columns = expected.map(({ name, kind }, i) => {
    const lengthBytes = lengths[i]!;
    if (at + lengthBytes > bytes.length) throw new ColumnFileError(path, `truncated in column ${name}`);
    const column = columnOf(kind, bytes.buffer, at, lengthBytes);
    if (!column) throw new ColumnFileError(path, `the bytes of column ${name} are not ${kind} values`);
    at += lengthBytes + padding(lengthBytes);
    return [name, column] as const;
  });
  if (at !== bytes.length)
    throw new ColumnFileError(path, `${bytes.length} bytes, but its columns end at ${at}`);
  return Object.fromEntries(columns) as Columns<Spec>;
}

/** Values that may be written: typed arrays on a buffer of any kind. */
type Loose<Kind extends ColumnKind> = Kind extends 'u8'
  ? Uint8Array
  : Kind extends 'u16'
    ? Uint16Array
    : Kind extends 'u32'
      ? Uint32Array
      : Kind extends 'f64'
        ? Float64Array
        : readonly string[];

const FORMAT = 'ipatlas columns 1';
const LF = 10;
const ALIGNMENT = 8;
/** One system call transfers at most 2 GB. */
const STEP_BYTES = 1 << 30;

function bytesOf(column: readonly string[] | ArrayBufferView): Uint8Array {
  if (Array.isArray(column)) return Buffer.from(JSON.stringify(column));
  const { buffer, byteOffset, byteLength } = column as ArrayBufferView;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function padding(lengthBytes: number): number {
  return -lengthBytes & (ALIGNMENT - 1);
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;)
    at += writeSync(file, bytes, at, Math.min(STEP_BYTES, bytes.length - at));
}

function readWhole(path: string): Uint8Array<ArrayBuffer> {
  const file = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(fstatSync(file).size);
    for (let at = 0; at < bytes.length;) {
      const read = readSync(file, bytes, at, Math.min(STEP_BYTES, bytes.length - at), at);
      if (read === 0) return bytes.slice(0, at);
      at += read;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

interface ColumnHead {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** Returns the byte lengths in the first line. Returns undefined when the line describes other columns. */
function lengthsIn(line: string, expected: readonly ColumnHead[]): number[] | undefined {
  const heads = parseHead(line);
  if (heads?.length !== expected.length) return undefined;
  const fits = expected.every(
    ({ name, kind }, i) => heads[i]!['name'] === name && heads[i]!['kind'] === kind,
  );
  const lengths = heads.map(({ bytes }) => Number(bytes));
  return fits && lengths.every((bytes) => Number.isSafeInteger(bytes) && bytes >= 0) ? lengths : undefined;
}

function parseHead(line: string): Record<string, unknown>[] | undefined {
  const head = parseJson(line) as { format?: unknown; columns?: unknown } | null | undefined;
  return head?.format === FORMAT && Array.isArray(head.columns) ? head.columns : undefined;
}

/** The bytes of one value of each kind. A text column is one text of any length. */
const VALUE_BYTES: Readonly<Record<ColumnKind, number>> = { u8: 1, u16: 2, u32: 4, f64: 8, text: 1 };

/** Returns a view of the bytes. Returns undefined when they are not values of the kind. */
function columnOf(
  kind: ColumnKind,
  buffer: ArrayBuffer,
  at: number,
  lengthBytes: number,
): ColumnTypes[ColumnKind] | undefined {
  if (lengthBytes % VALUE_BYTES[kind] !== 0) return undefined;
  switch (kind) {
    case 'u8':
      return new Uint8Array(buffer, at, lengthBytes);
    case 'u16':
      return new Uint16Array(buffer, at, lengthBytes / 2);
    case 'u32':
      return new Uint32Array(buffer, at, lengthBytes / 4);
    case 'f64':
      return new Float64Array(buffer, at, lengthBytes / 8);
    case 'text':
      return parseTexts(Buffer.from(buffer, at, lengthBytes).toString());
  }
}

function parseTexts(json: string): readonly string[] | undefined {
  const texts = parseJson(json);
  return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : undefined;
}
