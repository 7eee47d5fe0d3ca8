import { parseAddress } from '../../../pipeline/net/address.js';

/** A range of addresses of one family, both ends included. */
export interface AddressRange {
  readonly version: 4 | 6;
  readonly start: bigint;
  readonly end: bigint;
}

/**
 * Parses a range as whois servers write it: `192.0.2.0 - 192.0.2.255`, `192.0.2.0/24`, `2001:db8::/32`, `200.160/16`.
 * Absent for other text.
 */
export function parseAddressRange(text: string): AddressRange | undefined {
  const written = text.slice(0, MAX_RANGE).trim();
  const dash = written.indexOf('-');
  if (dash >= 0)
    return between(
      written.slice(0, dash).trim(),
      written
        .slice(dash + 1)
        .trim()
        .split(/[\s(]/, 1)[0]!,
    );
  const [address = '', length] = written.split(/[\s,]/, 1)[0]!.split('/');
  return ofPrefix(address, length);
}

/** Returns the number of addresses. */
export function sizeOf(range: AddressRange): bigint {
  return range.end - range.start + 1n;
}

/** Returns whether a range contains another. */
export function holds(range: AddressRange, inner: AddressRange): boolean {
  return range.version === inner.version && range.start <= inner.start && inner.end <= range.end;
}

const MAX_RANGE = 120;

function between(first: string, last: string): AddressRange | undefined {
  const [start, end] = [ofPrefix(first, undefined), ofPrefix(last, undefined)];
  if (!start || start.version !== end?.version || start.start > end.end) return undefined;
  return { version: start.version, start: start.start, end: end.end };
}

function ofPrefix(text: string, length: string | undefined): AddressRange | undefined {
  const isShort = length !== undefined && /^\d{1,3}(?:\.\d{1,3}){0,2}$/.test(text);
  const parsed = parseAddress(isShort ? padded(text) : text);
  if (!parsed) return undefined;
  const bits = parsed.family === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : -1;
  if (prefix < 0 || prefix > bits) return undefined;
  const address =
    parsed.address.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n) & ((1n << BigInt(bits)) - 1n);
  const hosts = (1n << BigInt(bits - prefix)) - 1n;
  return { version: parsed.family, start: address - (address & hosts), end: address | hosts };
}

function padded(text: string): string {
  return [...text.split('.'), '0', '0', '0'].slice(0, 4).join('.');
}
