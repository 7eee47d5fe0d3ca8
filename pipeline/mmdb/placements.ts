import { Uint32Column } from '../table/slots.js';
import type { ByteColumn } from './byte-column.js';
import { encodePointer, pointerSize } from './encode.js';

/** An offset that no value has: the file may not reach so far. */
export const UNWRITTEN = 0xffff_ffff;

/** Where values, by number, were first written, and how many bytes that took. */
export class Placements {
  readonly #offsets = new Uint32Column();
  readonly #sizes = new Uint32Column();

  /** UNWRITTEN for a value that stands nowhere yet. */
  offsetOf(id: number): number {
    return id < this.#offsets.length ? this.#offsets.values[id]! : UNWRITTEN;
  }

  /** Writes a pointer to a value that stands elsewhere, when that is shorter than the value itself. */
  pointTo(id: number, out: ByteColumn): boolean {
    const offset = this.offsetOf(id);
    if (offset === UNWRITTEN || pointerSize(offset) >= this.#sizes.values[id]!) return false;
    encodePointer(offset, out);
    return true;
  }

  /** Notes that a value was written; where it was written first stays its place. */
  settle(id: number, offset: number, end: number): void {
    if (id >= this.#offsets.length) this.#makeRoom(id);
    if (this.#offsets.values[id] !== UNWRITTEN) return;
    this.#offsets.values[id] = offset;
    this.#sizes.values[id] = end - offset;
  }

  #makeRoom(id: number): void {
    const length = id + 1;
    if (length > this.#offsets.values.length) {
      this.#offsets.reserve(length);
      this.#sizes.reserve(length);
    }
    this.#offsets.values.fill(UNWRITTEN, this.#offsets.length, length);
    this.#offsets.length = length;
    this.#sizes.length = length;
  }
}
