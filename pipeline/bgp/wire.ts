import type { Address, Family } from '../net/address.js';

/** The two bytes from `at` on as an unsigned big-endian integer. */
export function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

/** The four bytes from `at` on as an unsigned big-endian integer. */
export function u32(bytes: Uint8Array, at: number): number {
  return i32(bytes, at) >>> 0;
}

/** The same bits as a signed integer, which is the cheaper one to compare and to store. */
export function i32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}

/** Reads the 4 or 16 bytes of an address. */
export function readAddress(bytes: Uint8Array, at: number, family: Family, into: Address): void {
  if (family === 4) {
    into[0] = into[1] = into[2] = 0;
    into[3] = u32(bytes, at);
  } else {
    for (let word = 0; word < 4; word++) into[word] = u32(bytes, at + 4 * word);
  }
}
