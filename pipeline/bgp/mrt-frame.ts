import { MrtError } from './mrt-error.js';

/**
 * An MRT record with its common header (RFC 6396 §2), big-endian. `length` excludes the header:
 *
 *     timestamp u32 | type u16 | subtype u16 | length u32 | message, `length` bytes
 */
export interface MrtRecord {
  /** The message is from `start` up to (not including) `end`. Bytes and record are valid until the next record. */
  readonly bytes: DataView;
  readonly start: number;
  readonly end: number;
  /** Seconds since 1970. */
  readonly time: number;
  readonly type: number;
  readonly subtype: number;
  /** Byte offset of the header in the uncompressed dump. */
  readonly offset: number;
}

/** Receives the records of a dump in order. */
export interface MrtVisitor {
  record(record: MrtRecord): void;
}

/** The record types of routing tables (RFC 6396 §4.2, §4.3). */
export const TABLE_DUMP = 12;
export const TABLE_DUMP_V2 = 13;

/**
 * Splits a dump that arrives in chunks of any size into records. Both methods throw MrtError. After an invalid header
 * the position of the next record is unknown, so reading stops there.
 */
export class MrtFrames {
  readonly #visitor: MrtVisitor;
  /** Reused for every record, to avoid an allocation per record. */
  readonly #record = {
    bytes: new DataView(new ArrayBuffer(0)),
    start: 0,
    end: 0,
    time: 0,
    type: 0,
    subtype: 0,
    offset: 0,
  };
  #bytes = new Uint8Array(INITIAL_BYTES);
  /** A view of `#bytes`. */
  #view = new DataView(this.#bytes.buffer);
  #start = 0;
  #end = 0;
  #offset = 0;

  constructor(visitor: MrtVisitor) {
    this.#visitor = visitor;
  }

  /** Adds the next bytes and visits every record that is complete. */
  push(chunk: Uint8Array): void {
    this.#append(chunk);
    const record = this.#record;
    const bytes = this.#view;
    while (this.#end - this.#start >= HEADER_BYTES) {
      const header = this.#start;
      const type = bytes.getUint16(header + 4);
      const length = bytes.getUint32(header + 8);
      if (!TYPES.has(type)) throw new MrtError(this.#offset, `not an MRT record: unknown type ${type}`);
      if (length > MAX_LENGTH) throw new MrtError(this.#offset, tooLong(length));
      const start = header + HEADER_BYTES;
      if (this.#end - start < length) return;
      record.bytes = bytes;
      record.start = start;
      record.end = start + length;
      record.time = bytes.getUint32(header);
      record.type = type;
      record.subtype = bytes.getUint16(header + 6);
      record.offset = this.#offset;
      this.#visitor.record(record);
      this.#start = start + length;
      this.#offset += HEADER_BYTES + length;
    }
  }

  /** Ends the dump. Throws if the last record is incomplete. */
  end(): void {
    const rest = this.#end - this.#start;
    if (rest > 0)
      throw new MrtError(this.#offset, `the last record is incomplete: the dump has ${rest} bytes of it`);
  }

  #append(chunk: Uint8Array): void {
    const held = this.#end - this.#start;
    if (this.#end + chunk.length + SPARE_BYTES > this.#bytes.length) {
      const needed = held + chunk.length;
      const all = this.#bytes;
      if (needed + SPARE_BYTES > all.length) {
        this.#bytes = new Uint8Array(Math.max(needed + SPARE_BYTES, all.length * 2));
        this.#view = new DataView(this.#bytes.buffer);
      }
      this.#bytes.set(all.subarray(this.#start, this.#end));
      this.#start = 0;
      this.#end = held;
    }
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }
}

const HEADER_BYTES = 12;
/** Bytes kept free after the records, so that reading four bytes at once may pass the end of a record. */
const SPARE_BYTES = 4;
const INITIAL_BYTES = 1 << 16;

/** Four times the size of 65,535 entries of typical size. */
const MAX_LENGTH = 1 << 26;

function tooLong(length: number): string {
  return `not an MRT record: its length is ${length} bytes, expected at most ${MAX_LENGTH}`;
}

/**
 * The types of RFC 6396 §4 and RFC 8050 without the deprecated ones (RFC 6396 Appendix B). A deprecated type such as 0
 * in a routing table means that the position is not the start of a record.
 */
const TYPES: ReadonlySet<number> = new Set([11, TABLE_DUMP, TABLE_DUMP_V2, 16, 17, 32, 33, 48, 49]);
