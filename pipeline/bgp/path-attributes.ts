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

  /**
   * Looks for the attribute of a type among those from `at` to `end`, behind which there must be a byte more. False
   * when they do not end just there.
   */
  find(bytes: DataView, at: number, end: number, type: number): boolean {
    this.isThere = false;
    while (at + 3 <= end) {
      // The fourth byte may lie behind the end: it is then no part of the length, or one that passes the end.
      const head = bytes.getInt32(at);
      const isExtended = (head & EXTENDED_LENGTH) !== 0;
      const start = at + (isExtended ? 4 : 3);
      const next = start + (isExtended ? head & 0xffff : (head >>> 8) & 0xff);
      if (((head >>> 16) & 0xff) === type && !this.isThere) {
        this.isThere = true;
        this.start = start;
        this.end = next;
      }
      at = next;
    }
    return at === end;
  }
}

/** In the flags, which are the first of four bytes. */
const EXTENDED_LENGTH = 0x1000_0000;
