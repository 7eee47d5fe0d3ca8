import { PATH_ENDS_IN_SET, PATH_HAS_CONFEDERATION, PATH_HAS_NO_ORIGIN, PATH_HAS_SET } from './path-table.js';

/** Types of segments (RFC 4271 §4.3, RFC 5065 §3). */
export const AS_SET = 1;
export const AS_SEQUENCE = 2;
export const AS_CONFED_SEQUENCE = 3;
export const AS_CONFED_SET = 4;

/**
 * The value of an AS_PATH, segments one after the other (RFC 4271 §4.3), with AS numbers of 4 bytes as TABLE_DUMP_V2
 * has them whatever the peer speaks (RFC 6396 §4.3.4):
 *
 *     type u8 | count u8 | AS numbers, u32 each
 *
 * Read, it is as it stands in a path table.
 */
export class AsPath {
  /** AS numbers; the first `length` count. */
  readonly asns = new Int32Array(MAX_ASNS);
  length = 0;
  /** PATH_HAS_SET and its like. */
  flags = 0;

  /**
   * Reads a path. False when its segments do not end just at `end`, or one is of no known type or empty (malformed by
   * RFC 7606 §7.2).
   */
  read(bytes: DataView, start: number, end: number): boolean {
    this.length = 0;
    this.flags = 0;
    /** Where the last segment begins when it is a set; confederations do not count. */
    let lastSet: number | undefined;
    let at = start;
    while (at < end) {
      const next = segmentEnd(bytes, at, end, 4);
      if (next === undefined) return false;
      const type = bytes.getUint8(at);
      if (type === AS_SEQUENCE) this.#append(bytes, at + 2, next);
      else this.flags |= type === AS_SET ? PATH_HAS_SET : PATH_HAS_CONFEDERATION;
      if (type === AS_SET) lastSet = at;
      else if (type === AS_SEQUENCE) lastSet = undefined;
      at = next;
    }
    if (lastSet !== undefined) this.#endInSet(bytes, lastSet);
    if (this.length === 0) this.flags |= PATH_HAS_NO_ORIGIN;
    return true;
  }

  #append(bytes: DataView, from: number, to: number): void {
    for (let at = from; at < to; at += 4) this.asns[this.length++] = bytes.getUint32(at);
  }

  /** A set of one AS at the end stands as that AS; one of several has no origin. */
  #endInSet(bytes: DataView, at: number): void {
    this.flags |= PATH_ENDS_IN_SET;
    const first = bytes.getUint32(at + 2);
    const end = at + 2 + 4 * bytes.getUint8(at + 1);
    for (let next = at + 6; next < end; next += 4) {
      if (bytes.getUint32(next) !== first) {
        this.flags |= PATH_HAS_NO_ORIGIN;
        return;
      }
    }
    this.asns[this.length++] = first;
  }
}

/** More than a value of 65,535 bytes holds, also of AS numbers that took 2 bytes. */
const MAX_ASNS = 1 << 15;

/** Where the segment that begins at `at` ends; absent when it is malformed or passes `end`. */
export function segmentEnd(bytes: DataView, at: number, end: number, asnBytes: 2 | 4): number | undefined {
  if (at + 2 > end) return undefined;
  const type = bytes.getUint8(at);
  const count = bytes.getUint8(at + 1);
  const next = at + 2 + count * asnBytes;
  return count === 0 || next > end || type < AS_SET || type > AS_CONFED_SET ? undefined : next;
}
