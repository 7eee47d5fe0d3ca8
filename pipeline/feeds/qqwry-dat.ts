import { formatIpv4 } from '../net/address.js';
import type { OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';

/** Why a record cannot be read. */
export type QqwryDatReason = 'pointer' | 'encoding' | 'inverted';

/**
 * A cursor over the records of a `qqwry.dat`. All integers are little-endian, all offsets count from the start:
 *
 *     u32 first index offset, u32 last index offset | records | index entries: u32 start, u24 record offset
 *     record:  u32 end, place, area          place:  01 u24 (place and area there) | 02 u24 (text there) | text
 *     texts:   GBK, ending in NUL            area:   01 or 02 u24 (text there; 0 is none) | text
 *
 * The fields describe the record that `moveTo` went to.
 */
export class QqwryDat {
  /** Addresses, both inclusive. */
  start = 0;
  end = 0;
  /** Offsets of the two texts in the file: equal ones have equal texts. An area without offset is empty. */
  placeAt = 0;
  areaAt: number | undefined;
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #firstIndex: number;
  readonly #texts = new Map<number, string | undefined>();
  readonly #decoder = new TextDecoder('gb18030', { fatal: true });

  /**
   * Throws FeedError: `header` when the offsets of the index make no sense, `truncated` when the file ends before its
   * index does or the records do not reach from 0.0.0.0 to 255.255.255.255.
   */
  constructor(file: Pick<OpenFile, 'id'>, bytes: Buffer) {
    if (bytes.length < HEADER_BYTES) throw new FeedError('truncated', file.id, 'it ends within its header');
    const first = bytes.readUInt32LE(0);
    const last = bytes.readUInt32LE(4);
    if (first < HEADER_BYTES || last < first || (last - first) % INDEX_BYTES !== 0) {
      throw new FeedError('header', file.id, `an index from ${first} to ${last} is none`);
    }
    if (last + INDEX_BYTES > bytes.length) {
      throw new FeedError('truncated', file.id, `${bytes.length} of ${last + INDEX_BYTES} bytes are there`);
    }
    this.#bytes = bytes;
    this.#firstIndex = first;
    this.count = (last - first) / INDEX_BYTES + 1;
    const start = bytes.readUInt32LE(first);
    const end = this.#endAt(last);
    if (start === 0 && end === LAST_ADDRESS) return;
    const to = end === undefined ? 'nowhere' : formatIpv4(end);
    throw new FeedError('truncated', file.id, `records from ${formatIpv4(start)} to ${to}`);
  }

  /** Offset of an index entry, 0 <= index < count. */
  offsetOf(index: number): number {
    return this.#firstIndex + index * INDEX_BYTES;
  }

  /** Goes to a record; gives the reason when it cannot be read. */
  moveTo(index: number): QqwryDatReason | undefined {
    const entry = this.offsetOf(index);
    this.start = this.#bytes.readUInt32LE(entry);
    const end = this.#endAt(entry);
    if (end === undefined) return 'pointer';
    this.end = end;
    if (end < this.start) return 'inverted';
    const isLast = index === this.count - 1;
    const next = isLast ? LAST_ADDRESS + 1 : this.#bytes.readUInt32LE(entry + INDEX_BYTES);
    // Records follow each other without gaps: else one of the offsets leads to another record.
    if (end + 1 !== next) return 'pointer';
    return this.#moveToTexts(this.#bytes.readUIntLE(entry + 4, 3) + 4);
  }

  /** A text that `moveTo` found readable. */
  text(at: number | undefined): string {
    return at === undefined ? '' : this.#texts.get(at)!;
  }

  /** The last address of the record of an index entry; absent when the record is not in its zone. */
  #endAt(entry: number): number | undefined {
    const record = this.#bytes.readUIntLE(entry + 4, 3);
    return this.#isInZone(record, 5) ? this.#bytes.readUInt32LE(record) : undefined;
  }

  #moveToTexts(at: number): QqwryDatReason | undefined {
    const both = this.#follow(at, BOTH_ELSEWHERE);
    if (both === undefined) return 'pointer';
    const place = this.#follow(both, TEXT_ELSEWHERE);
    if (place === undefined) return 'pointer';
    const placeEnd = this.#textEnd(place);
    if (placeEnd === undefined) return 'pointer';
    const area = place === both ? placeEnd + 1 : both + REDIRECT_BYTES;
    if (!this.#isInZone(area, 1)) return 'pointer';
    return this.#keepText(place) ?? this.#moveToArea(area, place);
  }

  #moveToArea(at: number, place: number): QqwryDatReason | undefined {
    this.placeAt = place;
    this.areaAt = undefined;
    const isElsewhere = this.#bytes[at]! <= TEXT_ELSEWHERE && this.#bytes[at] !== 0;
    if (isElsewhere && this.#isInZone(at, REDIRECT_BYTES) && this.#bytes.readUIntLE(at + 1, 3) === 0) {
      return undefined;
    }
    const area = this.#follow(at, TEXT_ELSEWHERE);
    if (area === undefined) return 'pointer';
    this.areaAt = area;
    return this.#keepText(area);
  }

  /** Follows redirects of a kind up to `highest`; absent when one leads out of the zone or there are too many. */
  #follow(from: number, highest: number): number | undefined {
    let at = from;
    for (let hops = 0; hops <= MAX_HOPS; hops++) {
      if (!this.#isInZone(at, 1)) return undefined;
      const kind = this.#bytes[at]!;
      if (kind === 0 || kind > highest) return at;
      if (!this.#isInZone(at, REDIRECT_BYTES)) return undefined;
      at = this.#bytes.readUIntLE(at + 1, 3);
    }
    return undefined;
  }

  #keepText(at: number): QqwryDatReason | undefined {
    if (!this.#texts.has(at)) {
      const end = this.#textEnd(at);
      if (end === undefined) return 'pointer';
      this.#texts.set(at, this.#decode(this.#bytes.subarray(at, end)));
    }
    return this.#texts.get(at) === undefined ? 'encoding' : undefined;
  }

  /** Offset of the NUL that ends a text. */
  #textEnd(at: number): number | undefined {
    const limit = Math.min(at + MAX_TEXT_BYTES, this.#firstIndex);
    for (let end = at; end < limit; end++) if (this.#bytes[end] === 0) return end;
    return undefined;
  }

  #decode(bytes: Buffer): string | undefined {
    try {
      return this.#decoder.decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }

  /** Records and texts lie between header and index. */
  #isInZone(at: number, length: number): boolean {
    return at >= HEADER_BYTES && at + length <= this.#firstIndex;
  }
}

const HEADER_BYTES = 8;
const INDEX_BYTES = 7;
const REDIRECT_BYTES = 4;
const LAST_ADDRESS = 2 ** 32 - 1;
const BOTH_ELSEWHERE = 1;
const TEXT_ELSEWHERE = 2;
const MAX_HOPS = 3;
/** Longer than any text: what has no NUL by then is none. */
const MAX_TEXT_BYTES = 1024;
