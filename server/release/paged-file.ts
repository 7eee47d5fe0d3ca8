import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LRUCache } from 'lru-cache';

/** Bytes that are read at a time. */
const PAGE_BYTES = 4096;

/**
 * A file that is read in pages when they are needed, so that its size costs no memory. The pages used last are kept.
 * Blocks the thread while it reads.
 */
export class PagedFile {
  readonly sizeBytes: number;
  readonly #file: number;
  readonly #pages: LRUCache<number, Buffer>;

  /** `keep` is the number of pages in memory, 256 (1 MB) by default. Throws the system error. */
  constructor(path: string, keep = 256) {
    this.#file = openSync(path, 'r');
    this.sizeBytes = fstatSync(this.#file).size;
    this.#pages = new LRUCache({ max: keep });
  }

  /** Returns the byte at an offset. Throws RangeError after the end of the file. */
  byte(at: number): number {
    const byte = this.#page(Math.floor(at / PAGE_BYTES))[at % PAGE_BYTES];
    if (byte === undefined) throw new RangeError(`offset ${at} is after the end of the file`);
    return byte;
  }

  /** Returns an unsigned number of 0 to 6 bytes. */
  uint(at: number, width: number): number {
    let number = 0;
    for (let i = 0; i < width; i++) number = number * 256 + this.byte(at + i);
    return number;
  }

  /** Returns a copy of bytes. Throws RangeError after the end of the file. */
  bytes(at: number, length: number): Buffer {
    if (at + length > this.sizeBytes)
      throw new RangeError(`${length} bytes at offset ${at} are after the end of the file`);
    const all = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const start = (at + done) % PAGE_BYTES;
      const page = this.#page(Math.floor((at + done) / PAGE_BYTES));
      const copied = page.copy(all, done, start);
      if (copied === 0) throw new RangeError(`the file ends before offset ${at + length}`);
      done += copied;
    }
    return all;
  }

  close(): void {
    closeSync(this.#file);
  }

  #page(number: number): Buffer {
    const known = this.#pages.get(number);
    if (known) return known;
    const page = Buffer.allocUnsafe(PAGE_BYTES);
    const read = readSync(this.#file, page, 0, PAGE_BYTES, number * PAGE_BYTES);
    const filled = page.subarray(0, read);
    this.#pages.set(number, filled);
    return filled;
  }
}
