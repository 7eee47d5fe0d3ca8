import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';

/** Kinds of columns: unsigned integers of 8, 16 and 32 bits, doubles, and texts. */
interface ColumnTypes {
  readonly u8: Uint8Array<ArrayBuffer>;
  readonly u16: Uint16Array<ArrayBuffer>;
  readonly u32: Uint32Array<ArrayBuffer>;
  readonly f64: Float64Array<ArrayBuffer>;
  readonly text: readonly string[];
}
type ColumnKind = keyof ColumnTypes;

/** The columns of a file by name. */
export type ColumnSpec = Readonly<Record<string, ColumnKind>>;

/** What stands in columns of these kinds. */
export type Columns<Spec extends ColumnSpec> = { readonly [Name in keyof Spec]: ColumnTypes[Spec[Name]] };

/** A file that does not hold the columns it should. */
export class ColumnFileError extends Error {
  override readonly name = 'ColumnFileError';

  constructor(path: string, found: string) {
    super(`${path}: ${found}`);
  }
}

/**
 * Writes columns into a file of their own and syncs it: a line that tells names, kinds and lengths in bytes, then
 * the columns one after the other, each from a multiple of 8 bytes on, in the byte order of this machine. A text
 * column is a JSON array. For caches only: nothing reads it but `readColumns`.
 */
export function writeColumns<Spec extends ColumnSpec>(
  path: string,
  spec: Spec,
  columns: { readonly [Name in keyof Spec]: ColumnTypes[Spec[Name]] | Loose<Spec[Name]> },
): void {
  const names = Object.keys(spec);
  const parts = names.map((name) => bytesOf(columns[name]!));
  const told = names.map((name, i) => ({ name, kind: spec[name], bytes: parts[i]!.length }));
  const head = Buffer.from(`${JSON.stringify({ format: FORMAT, columns: told })}\n`);
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

/** Reads the columns of a file back. Throws ColumnFileError when they are others, or not all there. */
export function readColumns<Spec extends ColumnSpec>(path: string, spec: Spec): Columns<Spec> {
  const bytes = readWhole(path);
  const end = bytes.indexOf(LF);
  const expected = Object.entries(spec).map(([name, kind]) => ({ name, kind }));
  const lengths = lengthsIn(end < 0 ? '' : Buffer.from(bytes.subarray(0, end)).toString(), expected);
  if (!lengths) throw new ColumnFileError(path, 'its columns are not those that are asked for');
  let at = end + 1 + padding(end + 1);
  const columns = expected.map(({ name, kind }, i) => {
    const lengthBytes = lengths[i]!;
    if (at + lengthBytes > bytes.length) throw new ColumnFileError(path, `cut inside column ${name}`);
    const column = columnOf(kind, bytes.buffer, at, lengthBytes);
    if (!column) throw new ColumnFileError(path, `column ${name} holds no ${kind} values`);
    at += lengthBytes + padding(lengthBytes);
    return [name, column] as const;
  });
  if (at !== bytes.length) throw new ColumnFileError(path, `${bytes.length} bytes, its columns take ${at}`);
  return Object.fromEntries(columns) as Columns<Spec>;
}

/** What may be written: typed arrays on any buffer. */
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
/** One call of the system takes no more than 2 GB. */
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

/** Bytes of each column as the first line tells them; absent when it tells of other columns. */
function lengthsIn(line: string, expected: readonly ColumnHead[]): number[] | undefined {
  const told = parseHead(line);
  if (told?.length !== expected.length) return undefined;
  const fits = expected.every(({ name, kind }, i) => told[i]!['name'] === name && told[i]!['kind'] === kind);
  const lengths = told.map(({ bytes }) => Number(bytes));
  return fits && lengths.every((bytes) => Number.isSafeInteger(bytes) && bytes >= 0) ? lengths : undefined;
}

function parseHead(line: string): Record<string, unknown>[] | undefined {
  const head = parseJson(line) as { format?: unknown; columns?: unknown } | null | undefined;
  return head?.format === FORMAT && Array.isArray(head.columns) ? head.columns : undefined;
}

/** Bytes of a value of a kind; a text column is one text. */
const VALUE_BYTES: Readonly<Record<ColumnKind, number>> = { u8: 1, u16: 2, u32: 4, f64: 8, text: 1 };

/** A view of the bytes; absent when they are no values of the kind. */
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

/** Absent for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
