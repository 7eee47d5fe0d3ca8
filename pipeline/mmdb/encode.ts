import { MmdbEncodeError } from './encode-error.js';
import type { ByteColumn } from './byte-column.js';
import type { ScalarType } from './schema.js';

/** The type numbers of the format. Those above 7 are written in the extended form. */
export const TYPE_NUMBERS = {
  pointer: 1,
  string: 2,
  double: 3,
  bytes: 4,
  uint16: 5,
  uint32: 6,
  map: 7,
  int32: 8,
  uint64: 9,
  uint128: 10,
  array: 11,
  boolean: 14,
  float: 15,
} as const;

/** The largest size that a control byte with three size bytes can express. */
export const MAX_SIZE = 65_821 + 0xff_ffff;

/**
 * Writes a control byte: `TTTSSSSS`, for types above 7 `000SSSSS` and then `type - 7`, followed by up to three size
 * bytes (29: one, bias 29; 30: two, bias 285; 31: three, bias 65,821).
 */
export function encodeControl(type: number, size: number, out: ByteColumn): void {
  out.reserve(5);
  const { bytes } = out;
  const inline = size < 29 ? size : size < 285 ? 29 : size < 65_821 ? 30 : 31;
  bytes[out.length++] = ((type <= 7 ? type : 0) << 5) | inline;
  if (type > 7) bytes[out.length++] = type - 7;
  if (inline === 29) {
    bytes[out.length++] = size - 29;
  } else if (inline === 30) {
    bytes.writeUInt16BE(size - 285, out.length);
    out.length += 2;
  } else if (inline === 31) {
    bytes.writeUIntBE(size - 65_821, out.length, 3);
    out.length += 3;
  }
}

/** Returns the length in bytes of a pointer to `offset`: `001SSVVV` and one to four more bytes. */
export function pointerSize(offset: number): number {
  return offset < 2_048 ? 2 : offset < 526_336 ? 3 : offset < 134_744_064 ? 4 : 5;
}

/**
 * Writes a pointer to `offset` in the data section, below 2^32. Sizes 0 to 2 carry 11, 19 and 27 bits with biases 0,
 * 2,048 and 526,336. Size 3 carries 32 bits without a bias.
 */
export function encodePointer(offset: number, out: ByteColumn): void {
  out.reserve(5);
  const { bytes } = out;
  const at = out.length;
  if (offset < 2_048) {
    bytes.writeUInt16BE(0x2000 | offset, at);
    out.length += 2;
  } else if (offset < 526_336) {
    const value = offset - 2_048;
    bytes[at] = 0x28 | (value >>> 16);
    bytes.writeUInt16BE(value & 0xffff, at + 1);
    out.length += 3;
  } else if (offset < 134_744_064) {
    bytes.writeUInt32BE(0x3000_0000 + (offset - 526_336), at);
    out.length += 4;
  } else {
    bytes[at] = 0x38;
    bytes.writeUInt32BE(offset, at + 1);
    out.length += 5;
  }
}

/** Writes a UTF-8 string. Throws MmdbEncodeError when it is longer than 16,843,036 bytes. */
export function encodeString(text: string, out: ByteColumn): void {
  const lengthBytes = Buffer.byteLength(text);
  if (lengthBytes > MAX_SIZE)
    throw new MmdbEncodeError(`string of ${lengthBytes} bytes: expected at most ${MAX_SIZE}`);
  encodeControl(TYPE_NUMBERS.string, lengthBytes, out);
  out.reserve(lengthBytes);
  out.bytes.write(text, out.length, lengthBytes, 'utf8');
  out.length += lengthBytes;
}

/** Writes a scalar. Throws MmdbEncodeError when `value` is not of the type or not in its range. */
export function encodeScalar(value: unknown, type: ScalarType, out: ByteColumn): void {
  switch (type) {
    case 'string':
      encodeString(expectString(value), out);
      return;
    case 'double':
    case 'float':
      encodeReal(expectNumber(value), type, out);
      return;
    case 'bytes':
      encodeBytes(value, out);
      return;
    case 'boolean':
      if (typeof value !== 'boolean') throw new MmdbEncodeError(`${describe(value)}: expected a boolean`);
      encodeControl(TYPE_NUMBERS.boolean, value ? 1 : 0, out);
      return;
    case 'int32':
      encodeInt32(expectInteger(value, -0x8000_0000, 0x7fff_ffff), out);
      return;
    case 'uint16':
      encodeUnsigned(expectInteger(value, 0, 0xffff), TYPE_NUMBERS.uint16, out);
      return;
    case 'uint32':
      encodeUnsigned(expectInteger(value, 0, 0xffff_ffff), TYPE_NUMBERS.uint32, out);
      return;
    case 'uint64':
    case 'uint128':
      encodeBigUnsigned(expectBigint(value, type === 'uint64' ? 64n : 128n), TYPE_NUMBERS[type], out);
  }
}

/** Writes an unsigned integer in the fewest bytes; 0 takes none. */
function encodeUnsigned(value: number, type: number, out: ByteColumn): void {
  const lengthBytes = value === 0 ? 0 : value < 0x100 ? 1 : value < 0x1_0000 ? 2 : value < 0x100_0000 ? 3 : 4;
  encodeControl(type, lengthBytes, out);
  if (lengthBytes === 0) return;
  out.reserve(lengthBytes);
  out.length = out.bytes.writeUIntBE(value, out.length, lengthBytes);
}

function encodeBigUnsigned(value: bigint, type: number, out: ByteColumn): void {
  const hex = value === 0n ? '' : value.toString(16);
  const lengthBytes = (hex.length + 1) >> 1;
  encodeControl(type, lengthBytes, out);
  out.reserve(lengthBytes);
  out.bytes.write(hex.padStart(2 * lengthBytes, '0'), out.length, 'hex');
  out.length += lengthBytes;
}

/** Writes an int32. Negative values take four bytes: readers extend shorter values with zeros. */
function encodeInt32(value: number, out: ByteColumn): void {
  if (value >= 0) {
    encodeUnsigned(value, TYPE_NUMBERS.int32, out);
    return;
  }
  encodeControl(TYPE_NUMBERS.int32, 4, out);
  out.reserve(4);
  out.length = out.bytes.writeInt32BE(value, out.length);
}

function encodeReal(value: number, type: 'double' | 'float', out: ByteColumn): void {
  encodeControl(TYPE_NUMBERS[type], type === 'double' ? 8 : 4, out);
  out.reserve(8);
  out.length =
    type === 'double'
      ? out.bytes.writeDoubleBE(value, out.length)
      : out.bytes.writeFloatBE(value, out.length);
}

function encodeBytes(value: unknown, out: ByteColumn): void {
  if (!Buffer.isBuffer(value)) throw new MmdbEncodeError(`${describe(value)}: expected bytes`);
  if (value.length > MAX_SIZE)
    throw new MmdbEncodeError(`${value.length} bytes: expected at most ${MAX_SIZE}`);
  encodeControl(TYPE_NUMBERS.bytes, value.length, out);
  out.reserve(value.length);
  out.length += value.copy(out.bytes, out.length);
}

function expectString(value: unknown): string {
  if (typeof value !== 'string') throw new MmdbEncodeError(`${describe(value)}: expected a string`);
  if (!value.isWellFormed()) throw new MmdbEncodeError('string with a lone surrogate');
  return value;
}

function expectNumber(value: unknown): number {
  if (typeof value !== 'number') throw new MmdbEncodeError(`${describe(value)}: expected a number`);
  return value;
}

function expectInteger(value: unknown, from: number, to: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to) return value;
  throw new MmdbEncodeError(`${describe(value)}: expected an integer in ${from}..${to}`);
}

function expectBigint(value: unknown, bits: bigint): bigint {
  if (typeof value === 'bigint' && value >= 0n && value < 1n << bits) return value;
  throw new MmdbEncodeError(`${describe(value)}: expected an unsigned bigint of at most ${bits} bits`);
}

/** Formats a value for an error message. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
