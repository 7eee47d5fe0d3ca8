/**
 * Bounds the work of decoding a value of an MMDB file (MaxMind DB 2.0, "Output Data Section"). The library allocates an
 * array of any announced size, and follows pointers at any depth.
 */
export class RecordBounds {
  readonly #bytes: Uint8Array;
  /** The offset of the section to which pointers refer. */
  readonly #base: number;
  /** The values and the deepest level up to here. */
  #values = 0;
  #deepest = 0;
  /** The targets of pointers in this record. Undefined while a target is being checked. */
  readonly #targets = new Map<number, Size | undefined>();

  constructor(bytes: Uint8Array, base: number) {
    this.#bytes = bytes;
    this.#base = base;
  }

  /** Throws RangeError when the value at an offset of the file is too deep, too large, or does not fit into the file. */
  check(offset: number): void {
    this.#values = 0;
    this.#deepest = 0;
    this.#targets.clear();
    this.#skip(offset, 0);
  }

  /** Returns the offset after a value. */
  #skip(start: number, depth: number): number {
    this.#count({ values: 1, levels: 0 }, start, depth);
    const control = this.#byteAt(start);
    let at = start + 1;
    let type = control >>> 5;
    if (type === POINTER) return this.#skipPointer(control, at, depth);
    if (type === EXTENDED) type = 7 + this.#byteAt(at++);
    let size = control & 31;
    if (size >= 29) {
      const width = size - 28;
      size = SIZE_BASES[width - 1]! + this.#number(at, width);
      at += width;
    }
    if (type === BOOLEAN) return at;
    if (size > this.#bytes.length - at) throw fault(`a size of ${size} exceeds the file`, start);
    if (type !== MAP && type !== ARRAY) return at + size;
    for (let left = type === MAP ? 2 * size : size; left > 0; left--) at = this.#skip(at, depth + 1);
    return at;
  }

  #skipPointer(control: number, at: number, depth: number): number {
    const width = ((control >>> 3) & 3) + 1;
    const high = width === 4 ? 0 : (control & 7) * 2 ** (8 * width);
    const target = this.#base + POINTER_BASES[width - 1]! + high + this.#number(at, width);
    const known = this.#targets.get(target);
    if (known !== undefined) this.#count(known, target, depth + 1);
    else this.#checkTarget(target, depth + 1);
    return at + width;
  }

  /** Checks a target once: it counts again for each pointer to it, without being read again. */
  #checkTarget(target: number, depth: number): void {
    if (this.#targets.has(target)) throw fault('a value contains itself', target);
    this.#targets.set(target, undefined);
    const [values, deepest] = [this.#values, this.#deepest];
    this.#deepest = depth;
    this.#skip(target, depth);
    this.#targets.set(target, { values: this.#values - values, levels: this.#deepest - depth });
    this.#deepest = Math.max(deepest, this.#deepest);
  }

  #count({ values, levels }: Size, at: number, depth: number): void {
    this.#values += values;
    this.#deepest = Math.max(this.#deepest, depth + levels);
    if (this.#deepest > MAX_DEPTH) throw fault('a value is nested too deep', at);
    if (this.#values > MAX_VALUES) throw fault('a record has too many values', at);
  }

  #number(at: number, width: number): number {
    let number = 0;
    for (let i = 0; i < width; i++) number = number * 256 + this.#byteAt(at + i);
    return number;
  }

  #byteAt(at: number): number {
    const byte = this.#bytes[at];
    if (byte === undefined) throw fault('a value exceeds the file', at);
    return byte;
  }
}

/** What a value contains when every pointer is followed. */
interface Size {
  readonly values: number;
  readonly levels: number;
}

function fault(found: string, offset: number): RangeError {
  return new RangeError(`${found}, at offset ${offset}`);
}

/** Records have up to 6 levels, each with a pointer. */
const MAX_DEPTH = 64;
/** Every prefix of an AS is a value of its record, up to 100,000. */
const MAX_VALUES = 4_000_000;
const EXTENDED = 0;
const POINTER = 1;
const MAP = 7;
const ARRAY = 11;
const BOOLEAN = 14;
/** By the number of further bytes, from 1. */
const SIZE_BASES = [29, 285, 65_821];
const POINTER_BASES = [0, 2048, 526_336, 0];
