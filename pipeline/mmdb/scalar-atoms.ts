import type { Uint32Column } from '../table/slots.js';
import type { ByteColumn } from './byte-column.js';

/** Appends the atoms of an encoded scalar: `[length in bytes][encoding, padded with zeros]`. */
export function pushScalarAtoms({ bytes, length }: ByteColumn, into: Uint32Column): void {
  into.reserve(2 + (length >>> 2));
  const { values } = into;
  let at = into.length;
  values[at++] = length;
  for (let i = length; (i & 3) !== 0; i++) bytes[i] = 0;
  for (let i = 0; i < length; i += 4) {
    values[at++] = (bytes[i]! << 24) | (bytes[i + 1]! << 16) | (bytes[i + 2]! << 8) | bytes[i + 3]!;
  }
  into.length = at;
}

/** Writes the scalar with the atoms at `words[start]`. Returns the position of the next atoms. */
export function encodeScalarAtoms(words: Uint32Array, start: number, out: ByteColumn): number {
  const length = words[start]!;
  out.reserve(length + 3);
  const { bytes } = out;
  let at = start + 1;
  for (let i = 0; i < length; i += 4) {
    const word = words[at++]!;
    bytes[out.length + i] = word >>> 24;
    bytes[out.length + i + 1] = word >>> 16;
    bytes[out.length + i + 2] = word >>> 8;
    bytes[out.length + i + 3] = word;
  }
  out.length += length;
  return at;
}
