/** Ranges of AS numbers, both ends included, ascending. */
export type AsnRanges = readonly (readonly [first: number, last: number])[];

/**
 * AS numbers that no network may announce with: AS0 (RFC 7607), AS_TRANS (RFC 6793), documentation (RFC 5398), private
 * use (RFC 6996), the last of 16 and of 32 bits (RFC 7300), and what IANA keeps back between 65552 and 131071.
 */
export const RESERVED_ASNS: AsnRanges = [
  [0, 0],
  [23456, 23456],
  [64496, 131071],
  [4200000000, 4294967295],
];

/** Whether one of the ranges holds the AS number. */
export function isInRanges(ranges: AsnRanges, asn: number): boolean {
  return ranges.some(([first, last]) => asn >= first && asn <= last);
}
