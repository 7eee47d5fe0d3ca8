import type { Address, Family } from '../net/address.js';

/** Reads an address of 4 or 16 bytes into `into`. */
export function readAddress(bytes: DataView, at: number, family: Family, into: Address): void {
  if (family === 4) {
    into[0] = into[1] = into[2] = 0;
    into[3] = bytes.getUint32(at);
  } else {
    for (let word = 0; word < 4; word++) into[word] = bytes.getUint32(at + 4 * word);
  }
}
