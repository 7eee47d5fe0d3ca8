import {
  ADDRESS_BITS,
  familyOf,
  formatAddress,
  IPV4_DEPTH,
  newAddress,
  parseAddressInto,
  type Address,
  type Family,
} from './address.js';

/**
 * A prefix in the 128-bit space. `length` is in bits, 0..128, and includes the 96 bits before an IPv4 address:
 * `192.0.2.0/24` has length 120. Host bits are 0.
 */
export interface Prefix {
  readonly address: Address;
  readonly length: number;
  readonly family: Family;
}

/** A prefix buffer that a reader fills again for every row. Callers copy what they keep. */
export class PrefixBuffer implements Prefix {
  readonly address = newAddress();
  length = 0;
  family: Family = 4;
  /** Whether the text had host bits set. They are cleared in `address`. */
  hadHostBits = false;

  /**
   * Parses `address[/length]` in a text from `from` to `to` (exclusive); an address without a length is a host prefix.
   * The length is decimal without leading zeros. Returns false when the text is not a prefix.
   */
  parse(text: string, from = 0, to = text.length): boolean {
    let slash = from;
    while (slash < to && text.charCodeAt(slash) !== SLASH) slash++;
    const family = parseAddressInto(text, this.address, from, slash);
    if (family === undefined) return false;
    const width = family === 4 ? 32 : ADDRESS_BITS;
    const length = slash === to ? width : parseLength(text, slash + 1, to);
    if (length === undefined || length > width) return false;
    this.family = family;
    this.length = length + ADDRESS_BITS - width;
    this.hadHostBits = maskInto(this.address, this.length);
    return true;
  }
}

/** Parses `address[/length]` and clears host bits. Returns undefined when the text is not a prefix. */
export function parsePrefix(text: string): Prefix | undefined {
  const prefix = new PrefixBuffer();
  return prefix.parse(text) ? prefix : undefined;
}

/** Formats a prefix with the length of its family. Prefixes shorter than ::/96 are formatted as IPv6. */
export function formatPrefix(
  address: Address,
  length: number,
  family = prefixFamily(address, length),
): string {
  return `${formatAddress(address, family)}/${family === 4 ? length - IPV4_DEPTH : length}`;
}

/** Returns 4 when the whole prefix is in ::/96, else 6. */
export function prefixFamily(address: Address, length: number): Family {
  return length >= IPV4_DEPTH ? familyOf(address) : 6;
}

/** Clears the bits after `length`. Returns true when any of them was set. */
export function maskInto(address: Address, length: number): boolean {
  let changed = false;
  for (let word = 0; word < 4; word++) {
    const kept = length - word * 32;
    const mask = kept >= 32 ? 0xffffffff : kept <= 0 ? 0 : (0xffffffff << (32 - kept)) >>> 0;
    const masked = (address[word]! & mask) >>> 0;
    if (masked !== address[word]) {
      address[word] = masked;
      changed = true;
    }
  }
  return changed;
}

/** Writes the last address of a prefix into `into`. The host bits of `address` are 0. */
export function lastAddressInto(address: Address, length: number, into: Address): void {
  for (let word = 0; word < 4; word++) {
    const kept = length - word * 32;
    const host = kept >= 32 ? 0 : kept <= 0 ? 0xffffffff : 0xffffffff >>> kept;
    into[word] = (address[word]! | host) >>> 0;
  }
}

const SLASH = 47;

function parseLength(text: string, from: number, to: number): number | undefined {
  const digits = to - from;
  if (digits < 1 || digits > 3 || (digits > 1 && text.charCodeAt(from) === 48)) return undefined;
  let length = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return undefined;
    length = length * 10 + digit;
  }
  return length;
}
