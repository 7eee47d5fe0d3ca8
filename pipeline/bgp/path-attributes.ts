/** Types of path attributes (RFC 4271 §5, RFC 6793 §3). */
export const AS_PATH = 2;
export const AGGREGATOR = 7;
export const AS4_PATH = 17;
export const AS4_AGGREGATOR = 18;

/**
 * Finds one path attribute among consecutive ones (RFC 4271 §4.3):
 *
 *     flags u8 (0x10: extended length) | type u8 | length u8, or u16 if extended | value
 *
 * The others are skipped by their length. MP_REACH_NLRI and MP_UNREACH_NLRI are skipped too: RFC 6396 §4.3.4 requires
 * an abbreviated form, but not every collector writes it.
 */
export class PathAttribute {
  /** The value, from `start` up to (not including) `end`. */
  start = 0;
  end = 0;
  /** Whether an attribute of the type was found. Of several the first counts (RFC 7606 §3 g). */
  isThere = false;

  /**
   * Searches the attributes from `at` to `end` for one of the given type. `bytes` must have at least one byte after
   * `end`. Returns false if the attributes do not end at `end`.
   */
  find(bytes: DataView, at: number, end: number, type: number): boolean {
    this.isThere = false;
    while (at + 3 <= end) {
      // The fourth byte may be after `end`. It is then not part of the length, or the attribute exceeds `end` anyway.
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

/** The flag in the first of four bytes. */
const EXTENDED_LENGTH = 0x1000_0000;
