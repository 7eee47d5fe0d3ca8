import { PATH_ENDS_IN_SET, PATH_HAS_CONFEDERATION, PATH_HAS_NO_ORIGIN, PATH_HAS_SET } from './path-table.js';

/** Types of path segments (RFC 4271 §4.3, RFC 5065 §3). */
export const AS_SET = 1;
export const AS_SEQUENCE = 2;
export const AS_CONFED_SEQUENCE = 3;
export const AS_CONFED_SET = 4;

/**
 * Reads the value of an AS_PATH attribute: consecutive segments (RFC 4271 §4.3). AS numbers have 4 bytes, as always in
 * TABLE_DUMP_V2 (RFC 6396 §4.3.4):
 *
 *     type u8 | count u8 | AS numbers, u32 each
 *
 * The result has the form of a row of PATH_COLUMNS.
 */
export class AsPath {
  /** AS numbers; only the first `length` are valid. */
  readonly asns = new Int32Array(MAX_ASNS);
  length = 0;
  /** A combination of the PATH_ flags of path-table.ts. */
  flags = 0;

  /**
   * Reads a path. Returns false if it is malformed (RFC 7606 §7.2): its segments do not end at `end`, or a segment is
   * empty or of unknown type.
   */
  read(bytes: DataView, start: number, end: number): boolean {
    this.length = 0;
    this.flags = 0;
    /** Start of the last segment if it is a set; confederation segments are ignored. */
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

  /** A final set of one AS is kept as that AS. A path with a final set of several ASes has no origin. */
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

/** More AS numbers than fit into a value of 65,535 bytes, even with 2 bytes each. */
const MAX_ASNS = 1 << 15;

/** Returns the end of the segment at `at`; undefined if it is malformed or exceeds `end`. */
export function segmentEnd(bytes: DataView, at: number, end: number, asnBytes: 2 | 4): number | undefined {
  if (at + 2 > end) return undefined;
  const type = bytes.getUint8(at);
  const count = bytes.getUint8(at + 1);
  const next = at + 2 + count * asnBytes;
  return count === 0 || next > end || type < AS_SET || type > AS_CONFED_SET ? undefined : next;
}
