import { u16 } from './wire.js';

/** Types of path attributes (RFC 4271 §5, RFC 6793 §3). */
export const AS_PATH = 2;
export const AGGREGATOR = 7;
export const AS4_PATH = 17;
export const AS4_AGGREGATOR = 18;

/**
 * Path attributes (RFC 4271 §4.3), one after the other:
 *
 *     flags u8 (0x10: extended length) | type u8 | length u8, or u16 where extended | value
 *
 * Only one is of interest at a time. The others are passed by their length, also MP_REACH_NLRI and MP_UNREACH_NLRI,
 * of which RFC 6396 §4.3.4 asks a short form that not every collector writes.
 */
export class PathAttribute {
  /** The value found: from `start` up to (not including) `end`. */
  start = 0;
  end = 0;
  /** False when there was none of the type. Of several the first counts (RFC 7606 §3 g). */
  isThere = false;

  /** Looks for the attribute of a type among those from `at` to `end`. False when they do not end just there. */
  find(bytes: Uint8Array, at: number, end: number, type: number): boolean {
    this.isThere = false;
    while (at + 3 <= end) {
      const isExtended = (bytes[at]! & EXTENDED_LENGTH) !== 0;
      if (isExtended && at + 4 > end) return false;
      const start = at + (isExtended ? 4 : 3);
      const length = isExtended ? u16(bytes, at + 2) : bytes[at + 2]!;
      const next = start + length;
      if (bytes[at + 1] === type && !this.isThere) {
        this.isThere = true;
        this.start = start;
        this.end = next;
      }
      at = next;
    }
    return at === end;
  }
}

const EXTENDED_LENGTH = 0x10;
