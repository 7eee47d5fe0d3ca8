import { ByteColumn } from '../mmdb/byte-column.js';
import { ChangesError } from './changes-error.js';

/** Appends an unsigned integer below 2^53 as LEB128: 7 bits per byte, the lowest first. */
export function putVarint(out: ByteColumn, value: number): void {
  out.reserve(8);
  let rest = value;
  while (rest >= 128) {
    out.bytes[out.length++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  out.bytes[out.length++] = rest;
}

/** Appends one byte. */
export function putByte(out: ByteColumn, value: number): void {
  out.reserve(1);
  out.bytes[out.length++] = value;
}

/** Appends bytes. */
export function putBytes(out: ByteColumn, bytes: Uint8Array): void {
  out.reserve(bytes.length);
  out.bytes.set(bytes, out.length);
  out.length += bytes.length;
}

/** Reads a stream of a delta. Every method throws ChangesError at the end of the stream. */
export class ByteStream {
  #at = 0;

  constructor(
    readonly bytes: Buffer,
    /** The name of the stream, for errors. */
    readonly name: string,
  ) {}

  /** Whether all bytes were read. */
  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  /** Reads one byte. */
  byte(): number {
    if (this.#at >= this.bytes.length) throw this.error('ends too early');
    return this.bytes[this.#at++]!;
  }

  /** Reads an unsigned integer. Refuses values from 2^49 on. */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 49; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw this.error('integer of more than 49 bits');
  }

  /** Reads `count` bytes as a view. */
  take(count: number): Buffer {
    if (count > this.bytes.length - this.#at) throw this.error('ends too early');
    return this.bytes.subarray(this.#at, (this.#at += count));
  }

  /** Creates the error for invalid content at the current position. */
  error(found: string): ChangesError {
    return new ChangesError('damaged', `damaged delta: stream ${this.name} ${found} (byte ${this.#at})`);
  }
}
