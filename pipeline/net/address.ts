/**
 * A 128-bit address as four 32-bit words, the most significant first. IPv4 is stored in ::/96: the first three words
 * are 0 and the fourth is the address. One trie therefore holds both families.
 */
export type Address = Uint32Array;

/** The IP version of an address or prefix. */
export type Family = 4 | 6;

/** The number of bits before an IPv4 address in the 128-bit space. */
export const IPV4_DEPTH = 96;

/** The number of bits of an address, in either family. */
export const ADDRESS_BITS = 128;

/** Creates the address `::`. */
export function newAddress(): Address {
  return new Uint32Array(4);
}

/**
 * Parses IPv4 dotted decimal or IPv6 text (RFC 4291 §2.2) into `into`. Octets with leading zeros, zones, ports,
 * brackets, prefix lengths and surrounding spaces are not accepted. Returns undefined when the text is not an address;
 * the contents of `into` are then undefined.
 */
export function parseAddressInto(
  text: string,
  into: Address,
  from = 0,
  to = text.length,
): Family | undefined {
  for (let i = from; i < to && i < from + 5; i++) {
    if (text.charCodeAt(i) === COLON) return parseIpv6Into(text, into, from, to) ? 6 : undefined;
  }
  const value = parseIpv4(text, from, to);
  if (value === undefined) return undefined;
  into[0] = into[1] = into[2] = 0;
  into[3] = value;
  return 4;
}

/** Parses an address into a new buffer. Returns undefined when the text is not an address. */
export function parseAddress(text: string): { address: Address; family: Family } | undefined {
  const address = newAddress();
  const family = parseAddressInto(text, address);
  return family === undefined ? undefined : { address, family };
}

/** Parses dotted decimal into an unsigned 32-bit integer. Returns undefined unless the text is exactly four octets. */
export function parseIpv4(text: string, from = 0, to = text.length): number | undefined {
  let value = 0;
  let octets = 0;
  let i = from;
  while (octets < 4) {
    const first = i;
    let octet = 0;
    for (; i < to && i < first + 3; i++) {
      const digit = text.charCodeAt(i) - ZERO;
      if (digit < 0 || digit > 9) break;
      octet = octet * 10 + digit;
    }
    if (i === first || octet > 255 || (text.charCodeAt(first) === ZERO && i > first + 1)) return undefined;
    value = value * 256 + octet;
    if (++octets < 4 && (i >= to || text.charCodeAt(i++) !== DOT)) return undefined;
  }
  return i === to ? value : undefined;
}

/** Formats an unsigned 32-bit integer as dotted decimal. */
export function formatIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

/**
 * Formats an address: dotted decimal for IPv4, RFC 5952 for IPv6 (lower case, `::` for the first longest run of two
 * or more zero groups, mixed notation for IPv4-mapped addresses, §5).
 */
export function formatAddress(address: Address, family: Family): string {
  if (family === 4) return formatIpv4(address[3]!);
  if (isIpv4Mapped(address)) return `::ffff:${formatIpv4(address[3]!)}`;
  const run = longestZeroRun(address);
  let text = '';
  for (let i = 0; i < 8; i++) {
    if (i === run.start) {
      text += '::';
      i += run.groups - 1;
    } else {
      if (text !== '' && !text.endsWith(':')) text += ':';
      text += groupOf(address, i).toString(16);
    }
  }
  return text;
}

/** Returns 4 when the address is in ::/96, else 6. */
export function familyOf(address: Address): Family {
  return isInIpv4Space(address) ? 4 : 6;
}

/** Whether the address is in ::/96, where IPv4 is stored. Native IPv6 never is: all of ::/96 is special-purpose. */
export function isInIpv4Space(address: Address): boolean {
  return address[0] === 0 && address[1] === 0 && address[2] === 0;
}

/** Whether the address is IPv4-mapped: in ::ffff:0:0/96 (RFC 4291 §2.5.5.2). */
export function isIpv4Mapped(address: Address): boolean {
  return address[0] === 0 && address[1] === 0 && address[2] === 0xffff;
}

/** Compares two addresses in numeric order. Returns -1, 0 or 1. */
export function compareAddresses(a: Address, b: Address): number {
  for (let i = 0; i < 4; i++) {
    if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  }
  return 0;
}

/** Returns the number of leading bits that two addresses share, 0..128. */
export function commonBits(a: Address, b: Address): number {
  for (let i = 0; i < 4; i++) {
    const differing = a[i]! ^ b[i]!;
    if (differing !== 0) return i * 32 + Math.clz32(differing);
  }
  return ADDRESS_BITS;
}

/** Returns bit `index` of an address; bit 0 is the most significant. */
export function bitOf(address: Address, index: number): 0 | 1 {
  return ((address[index >>> 5]! >>> (31 - (index & 31))) & 1) as 0 | 1;
}

const ZERO = 48;
const DOT = 46;
const COLON = 58;

function groupOf(address: Address, index: number): number {
  return (address[index >> 1]! >>> (index & 1 ? 0 : 16)) & 0xffff;
}

/** Finds the first of the longest runs of at least two zero groups (RFC 5952 §4.2). `start` is -1 without one. */
function longestZeroRun(address: Address): { start: number; groups: number } {
  const best = { start: -1, groups: 1 };
  let groups = 0;
  for (let i = 0; i < 8; i++) {
    groups = groupOf(address, i) === 0 ? groups + 1 : 0;
    if (groups > best.groups) {
      best.start = i - groups + 1;
      best.groups = groups;
    }
  }
  return best;
}

function parseIpv6Into(text: string, into: Address, from: number, to: number): boolean {
  into.fill(0);
  let groups = 0;
  let gap = -1;
  let i = from;
  if (text.charCodeAt(i) === COLON) {
    if (text.charCodeAt(i + 1) !== COLON) return false;
    gap = 0;
    i += 2;
  }
  while (i < to) {
    if (groups === 8) return false;
    const end = groupEnd(text, i, to);
    if (end < to && text.charCodeAt(end) === DOT) {
      const ipv4 = groups <= 6 ? parseIpv4(text, i, to) : undefined;
      if (ipv4 === undefined) return false;
      setGroup(into, groups++, ipv4 >>> 16);
      setGroup(into, groups++, ipv4 & 0xffff);
      break;
    }
    if (end === i || end > i + 4) return false;
    setGroup(into, groups++, hexValue(text, i, end));
    if (end === to) break;
    if (text.charCodeAt(end) !== COLON || end + 1 === to) return false;
    i = end + 1;
    if (text.charCodeAt(i) === COLON) {
      if (gap >= 0) return false;
      gap = groups;
      i++;
    }
  }
  if (gap < 0) return groups === 8;
  if (groups === 8) return false;
  openGap(into, gap, groups);
  return true;
}

/** Moves the groups after `::` to the end and fills the gap with zeros. */
function openGap(into: Address, gap: number, groups: number): void {
  for (let from = groups - 1, to = 7; from >= gap; from--, to--) {
    const value = groupOf(into, from);
    setGroup(into, from, 0);
    setGroup(into, to, value);
  }
}

function setGroup(into: Address, index: number, value: number): void {
  const word = index >> 1;
  into[word] = index & 1 ? (into[word]! & 0xffff0000) | value : (into[word]! & 0xffff) | (value << 16);
}

/** Returns the index of the first character at or after `from` that is not a hexadecimal digit. */
function groupEnd(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && hexDigit(text.charCodeAt(i)) >= 0) i++;
  return i;
}

function hexValue(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = (value << 4) | hexDigit(text.charCodeAt(i));
  return value;
}

function hexDigit(code: number): number {
  if (code >= ZERO && code <= 57) return code - ZERO;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
