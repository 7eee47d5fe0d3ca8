import type { PagedFile } from './paged-file.js';

/** Records have up to 6 levels, each with a pointer. */
const MAX_DEPTH = 64;
/** Every prefix of an AS is a value of its record, up to 100,000. */
const MAX_VALUES = 4_000_000;

/** Decodes values of a section (MaxMind DB 2.0, "Output Data Section") from a file that is not in memory. */
export class PagedDecoder {
  readonly #file: PagedFile;
  /** The offset of the section, to which pointers refer. */
  readonly #base: number;
  /** The offset after the value read last. */
  #end = 0;
  #values = 0;

  constructor(file: PagedFile, base: number) {
    this.#file = file;
    this.#base = base;
  }

  /** Returns the value at an offset of the file. Throws RangeError when it is damaged, too deep or too large. */
  decode(at: number): unknown {
    this.#values = 0;
    return this.#value(at, 0);
  }

  #value(start: number, depth: number): unknown {
    if (depth > MAX_DEPTH || ++this.#values > MAX_VALUES)
      throw new RangeError(`the record at offset ${start} is too large`);
    const file = this.#file;
    const control = file.byte(start);
    let at = start + 1;
    let type = control >>> 5;
    if (type === POINTER) return this.#target(control, at, depth);
    if (type === EXTENDED) type = 7 + file.byte(at++);
    let size = control & 31;
    if (size >= 29) {
      const width = size - 28;
      size = SIZE_BASES[width - 1]! + file.uint(at, width);
      at += width;
    }
    if (type === MAP) return this.#map(at, size, depth);
    if (type === ARRAY) return this.#array(at, size, depth);
    this.#end = type === BOOLEAN ? at : at + size;
    return this.#scalar(type, at, size);
  }

  #target(control: number, at: number, depth: number): unknown {
    const width = ((control >>> 3) & 3) + 1;
    const high = width === 4 ? 0 : (control & 7) * 2 ** (8 * width);
    const value = this.#value(
      this.#base + POINTER_BASES[width - 1]! + high + this.#file.uint(at, width),
      depth + 1,
    );
    this.#end = at + width;
    return value;
  }

  #map(at: number, size: number, depth: number): Readonly<Record<string, unknown>> {
    const entries: [string, unknown][] = [];
    this.#end = at;
    for (let i = 0; i < size; i++) {
      const key = this.#value(this.#end, depth + 1);
      if (typeof key !== 'string') throw new RangeError(`a map at offset ${at} has a key that is no string`);
      entries.push([key, this.#value(this.#end, depth + 1)]);
    }
    return Object.fromEntries(entries);
  }

  #array(at: number, size: number, depth: number): readonly unknown[] {
    const values: unknown[] = [];
    this.#end = at;
    for (let i = 0; i < size; i++) values.push(this.#value(this.#end, depth + 1));
    return values;
  }

  #scalar(type: number, at: number, size: number): unknown {
    const file = this.#file;
    switch (type) {
      case STRING:
        return file.bytes(at, size).toString();
      case DOUBLE:
        return file.bytes(at, 8).readDoubleBE();
      case FLOAT:
        return file.bytes(at, 4).readFloatBE();
      case BOOLEAN:
        return size === 1;
      case INT32:
        return file.uint(at, Math.min(4, size)) | 0;
      case UINT16:
      case UINT32:
        return file.uint(at, Math.min(4, size));
      case UINT64:
      case UINT128:
        return BigInt(`0x0${file.bytes(at, Math.min(16, size)).toString('hex')}`);
      case BYTES:
        return file.bytes(at, size);
      default:
        throw new RangeError(`the value at offset ${at} has the type ${type}`);
    }
  }
}

const EXTENDED = 0;
const POINTER = 1;
const STRING = 2;
const DOUBLE = 3;
const BYTES = 4;
const UINT16 = 5;
const UINT32 = 6;
const MAP = 7;
const INT32 = 8;
const UINT64 = 9;
const UINT128 = 10;
const ARRAY = 11;
const BOOLEAN = 14;
const FLOAT = 15;
/** By the number of further bytes, from 1. */
const SIZE_BASES = [29, 285, 65_821];
const POINTER_BASES = [0, 2048, 526_336, 0];
