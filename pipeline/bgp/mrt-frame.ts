import { MrtError } from './mrt-error.js';

/**
 * MRT records and their common header (RFC 6396 §2), all big-endian; `length` leaves the header out:
 *
 *     timestamp u32 | type u16 | subtype u16 | length u32 | message, `length` bytes
 */
export interface MrtRecord {
  /** Holds the message from `start` up to (not including) `end`. As the record itself good until the next one. */
  readonly bytes: DataView;
  readonly start: number;
  readonly end: number;
  /** Seconds since 1970. */
  readonly time: number;
  readonly type: number;
  readonly subtype: number;
  /** Byte in the unpacked dump at which the header begins. */
  readonly offset: number;
}

/** Takes the records of a dump, one after the other. */
export interface MrtVisitor {
  record(record: MrtRecord): void;
}

/** Types of records that hold routing tables (RFC 6396 §4.2, §4.3). */
export const TABLE_DUMP = 12;
export const TABLE_DUMP_V2 = 13;

/**
 * Cuts a dump that comes in chunks of any size into its records. Both methods throw MrtError: nothing is searched for
 * behind a header that cannot be one, since what is found there may be anything.
 */
export class MrtFrames {
  readonly #visitor: MrtVisitor;
  /** One for all: records are not worth an object each. */
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
  /** The same bytes. */
  #view = new DataView(this.#bytes.buffer);
  #start = 0;
  #end = 0;
  #offset = 0;

  constructor(visitor: MrtVisitor) {
    this.#visitor = visitor;
  }

  /** Takes the next bytes, and visits every record that is whole by now. */
  push(chunk: Uint8Array): void {
    this.#append(chunk);
    const record = this.#record;
    const bytes = this.#view;
    while (this.#end - this.#start >= HEADER_BYTES) {
      const header = this.#start;
      const type = bytes.getUint16(header + 4);
      const length = bytes.getUint32(header + 8);
      if (!TYPES.has(type)) throw new MrtError(this.#offset, `no MRT record: its type would be ${type}`);
      if (length > MAX_LENGTH) throw new MrtError(this.#offset, `no MRT record: ${length} bytes long`);
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

  /** Says that the dump is over. Throws when a record is not whole. */
  end(): void {
    const rest = this.#end - this.#start;
    if (rest > 0) throw new MrtError(this.#offset, `the last record is cut, ${rest} bytes of it are there`);
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
/** Behind a record; who takes four bytes of it at once may look over its end. */
const SPARE_BYTES = 4;
const INITIAL_BYTES = 1 << 16;

/** Four times what 65,535 entries of the usual size take. */
const MAX_LENGTH = 1 << 26;

/**
 * The types that RFC 6396 §4 and RFC 8050 know, without those it calls deprecated (Appendix B): whoever met those in a
 * routing table, such as 0, has lost his place.
 */
const TYPES: ReadonlySet<number> = new Set([11, TABLE_DUMP, TABLE_DUMP_V2, 16, 17, 32, 33, 48, 49]);
