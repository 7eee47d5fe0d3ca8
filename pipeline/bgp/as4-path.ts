import { AS_CONFED_SEQUENCE, AS_CONFED_SET, AS_SET, segmentEnd } from './as-path.js';

/**
 * Converts the value of an AS_PATH from 2-byte AS numbers, as in TABLE_DUMP (RFC 6396 §4.2), to 4-byte AS numbers.
 * Returns undefined if it is malformed.
 */
export function widenPath(asPath: DataView): DataView | undefined {
  const segments = segmentsOf(asPath, 2);
  return segments && encode(segments);
}

/**
 * Merges AS_PATH (2-byte AS numbers, AS_TRANS for larger ones) and AS4_PATH into one path with 4-byte AS numbers (RFC
 * 6793 §4.2.3): the surplus at the head of AS_PATH, then AS4_PATH. If AS_PATH is shorter, it is used alone. Returns
 * undefined if either is malformed.
 */
export function mergeAs4Path(asPath: DataView, as4Path: DataView): DataView | undefined {
  const old = segmentsOf(asPath, 2);
  const wide = segmentsOf(as4Path, 4);
  if (!old || !wide) return undefined;
  // AS4_PATH must not contain confederation segments; they are discarded (RFC 6793 §3).
  const tail = wide.filter((segment) => !isConfederation(segment));
  const surplus = lengthOf(old) - lengthOf(tail);
  return encode(surplus < 0 ? old : [...headOf(old, surplus), ...tail]);
}

/** A decoded path segment. */
interface Segment {
  readonly type: number;
  readonly asns: readonly number[];
}

function segmentsOf(bytes: DataView, asnBytes: 2 | 4): Segment[] | undefined {
  const segments: Segment[] = [];
  for (let at = 0; at < bytes.byteLength;) {
    const next = segmentEnd(bytes, at, bytes.byteLength, asnBytes);
    if (next === undefined) return undefined;
    const asns: number[] = [];
    for (let asn = at + 2; asn < next; asn += asnBytes) {
      asns.push(asnBytes === 2 ? bytes.getUint16(asn) : bytes.getUint32(asn));
    }
    segments.push({ type: bytes.getUint8(at), asns });
    at = next;
  }
  return segments;
}

/** Returns the path length. A set counts as one AS (RFC 4271 §9.1.2.2), a confederation as none (RFC 5065 §5.3). */
function lengthOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + lengthOfSegment(segment), 0);
}

function lengthOfSegment(segment: Segment): number {
  if (isConfederation(segment)) return 0;
  return segment.type === AS_SET ? 1 : segment.asns.length;
}

function isConfederation({ type }: Segment): boolean {
  return type === AS_CONFED_SEQUENCE || type === AS_CONFED_SET;
}

/**
 * Returns the leading segments of the given path length, with the confederations before, between and right after them.
 */
function headOf(segments: readonly Segment[], length: number): Segment[] {
  const head: Segment[] = [];
  let left = length;
  for (const segment of segments) {
    const counts = lengthOfSegment(segment);
    if (counts > 0 && left === 0) break;
    head.push(counts <= left ? segment : { ...segment, asns: segment.asns.slice(0, left) });
    left -= Math.min(counts, left);
  }
  return head;
}

function encode(segments: readonly Segment[]): DataView {
  const lengthBytes = segments.reduce((sum, { asns }) => sum + 2 + 4 * asns.length, 0);
  const bytes = new DataView(new ArrayBuffer(lengthBytes));
  let at = 0;
  for (const { type, asns } of segments) {
    bytes.setUint8(at++, type);
    bytes.setUint8(at++, asns.length);
    for (const asn of asns) {
      bytes.setUint32(at, asn);
      at += 4;
    }
  }
  return bytes;
}
