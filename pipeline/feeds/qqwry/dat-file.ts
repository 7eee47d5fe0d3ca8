import { formatIpv4 } from '../../net/address.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';

/** The reason why a record cannot be read. */
export type QqwryDatReason = 'pointer' | 'encoding' | 'inverted';

/**
 * A cursor over the records of a `qqwry.dat`. All integers are little-endian, all offsets count from the start:
 *
 *     u32 first index offset, u32 last index offset | records | index entries: u32 start, u24 record offset
 *     record:  u32 end, place, area       place:  01 u24 (offset of place and area) | 02 u24 (offset of text) | text
 *     texts:   GBK, ending in NUL         area:   01 or 02 u24 (offset of text; 0: no text) | text
 *
 * The fields describe the record of the last `moveTo`.
 */
export class QqwryDat {
  /** The range of the record, both ends inclusive. */
  start = 0;
  end = 0;
  /** The offsets of the two texts. Equal offsets have equal texts. An area without an offset is empty. */
  placeAt = 0;
  areaAt: number | undefined;
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #firstIndex: number;
  readonly #texts = new Map<number, string | undefined>();
  readonly #decoder = new TextDecoder('gb18030', { fatal: true });

  /**
   * Throws FeedError `header` when the offsets of the index are invalid, and `truncated` when the file ends before its
   * index, or the records do not cover 0.0.0.0 to 255.255.255.255.
   */
  constructor(file: Pick<OpenFile, 'id'>, bytes: Buffer) {
    if (bytes.length < HEADER_BYTES) throw new FeedError('truncated', file.id, 'ends inside its header');
    const first = bytes.readUInt32LE(0);
    const last = bytes.readUInt32LE(4);
    if (first < HEADER_BYTES || last < first || (last - first) % INDEX_BYTES !== 0) {
      throw new FeedError('header', file.id, `invalid index from offset ${first} to ${last}`);
    }
    if (last + INDEX_BYTES > bytes.length) {
      throw new FeedError('truncated', file.id, `ends after ${bytes.length} of ${last + INDEX_BYTES} bytes`);
    }
    this.#bytes = bytes;
    this.#firstIndex = first;
    this.count = (last - first) / INDEX_BYTES + 1;
    const start = bytes.readUInt32LE(first);
    const end = this.#endAt(last);
    if (start === 0 && end === LAST_ADDRESS) return;
    const to = end === undefined ? 'an invalid offset' : formatIpv4(end);
    const expected = 'expected 0.0.0.0 to 255.255.255.255';
    throw new FeedError('truncated', file.id, `records from ${formatIpv4(start)} to ${to}: ${expected}`);
  }

  /** Returns the offset of an index entry, 0 <= index < count. */
  offsetOf(index: number): number {
    return this.#firstIndex + index * INDEX_BYTES;
  }

  /** Reads a record into the fields. Returns the reason when it cannot be read. */
  moveTo(index: number): QqwryDatReason | undefined {
    const entry = this.offsetOf(index);
    this.start = this.#bytes.readUInt32LE(entry);
    const end = this.#endAt(entry);
    if (end === undefined) return 'pointer';
    this.end = end;
    if (end < this.start) return 'inverted';
    const isLast = index === this.count - 1;
    const next = isLast ? LAST_ADDRESS + 1 : this.#bytes.readUInt32LE(entry + INDEX_BYTES);
    // Records have no gaps: otherwise one of the offsets leads to another record.
    if (end + 1 !== next) return 'pointer';
    return this.#moveToTexts(this.#bytes.readUIntLE(entry + 4, 3) + 4);
  }

  /** Returns a text of a record that `moveTo` has read. */
  text(at: number | undefined): string {
    return at === undefined ? '' : this.#texts.get(at)!;
  }

  /** Returns the last address of the record of an index entry. Undefined when the record is outside its zone. */
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

  /** Follows redirects of kinds up to `highest`. Returns undefined when one leaves the zone or there are too many. */
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

  /** Returns the offset of the NUL at the end of a text. */
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

  /** Whether bytes are between header and index, the zone of records and texts. */
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
/** The maximum length of a text. */
const MAX_TEXT_BYTES = 1024;
