import { TYPE_NUMBERS as TYPE } from './encode.js';
import { MmdbError, type MmdbFault } from './mmdb-error.js';

/** Returns the name of a type number, for messages. */
export function typeName(type: number): string {
  return NAMES[type] ?? `type ${type}`;
}

/** The maximum nesting of maps and arrays, with pointers followed. */
export const MAX_DEPTH = 64;

/**
 * Reads the control bytes of one value at a time and tracks its path in the record. The fields describe the value
 * opened last: copy what you need before you open the next one.
 *
 *     TTTSSSSS [type - 7 when TTT is 0] [1-3 more size bytes when SSSSS is 29, 30, 31] payload
 *     001SSVVV [1-4 bytes]              pointer
 */
export class DataCursor {
  /** The section offset of the value. */
  at = 0;
  type = 0;
  /** The payload length in bytes, the number of entries of a map or array, or the value of a boolean. */
  size = 0;
  /** The section offset of the payload; for a map or array, of its first entry. */
  payload = 0;
  /** The section offset after the value; for a map or array, of its first entry. */
  end = 0;
  /** The target of a pointer as a section offset, not checked. */
  target = 0;
  /** The number of maps and arrays entered. */
  depth = 0;
  /** Per entered map the offset of the current key, per entered array -1 - index; NaN before the first entry. */
  readonly #steps = new Float64Array(MAX_DEPTH);

  constructor(
    /** The section; pointers are offsets in it. */
    readonly section: Buffer,
    /** The byte offset of the section in the file. */
    readonly base: number,
  ) {}

  /** Opens the value at a section offset and returns its type. Throws MmdbError when it is incomplete or invalid. */
  open(at: number): number {
    const fault = this.#parse(at);
    if (fault) throw this.error(fault, at, this.#describe(fault));
    return this.type;
  }

  /**
   * Follows the pointer at section offset `at`, which was opened last. Returns the offset of its target. Throws
   * MmdbError.
   */
  follow(at: number): number {
    const { target } = this;
    if (target >= this.section.length)
      throw this.error(
        'pointer-range',
        at,
        `pointer to ${target}, beyond the section of ${this.section.length} bytes`,
      );
    if (this.open(target) === TYPE.pointer)
      throw this.error('pointer-chain', at, `pointer to another pointer at ${target}`);
    return target;
  }

  /** Enters the map or array at `at`. Throws MmdbError when that exceeds MAX_DEPTH. */
  enter(at: number): void {
    if (this.depth === MAX_DEPTH) throw this.error('depth', at, `nested more than ${MAX_DEPTH} levels deep`);
    this.#steps[this.depth++] = NaN;
  }

  leave(): void {
    this.depth--;
  }

  /** Sets the current entry of a map: the one with the key at `keyAt` (a string or a pointer to one). */
  atKey(keyAt: number): void {
    this.#steps[this.depth - 1] = keyAt;
  }

  /** Sets the current entry of an array. */
  atIndex(index: number): void {
    this.#steps[this.depth - 1] = -1 - index;
  }

  /** Creates an error for the value at section offset `at`, with its file offset and its path in the record. */
  error(fault: MmdbFault, at: number, found: string, options?: ErrorOptions): MmdbError {
    return new MmdbError(fault, { offset: this.base + at, path: this.path() }, found, options);
  }

  /** Returns the path in the record: `/` or `/subdivisions/0/iso_code`. */
  path(): string {
    let path = '';
    for (const step of this.#steps.subarray(0, this.depth)) {
      if (Number.isNaN(step)) break;
      path += step < 0 ? `/${-1 - step}` : `/${keyText(this.section, step)}`;
    }
    return path === '' ? '/' : path;
  }

  /** Fills the fields. Returns a fault when the value is incomplete or invalid. */
  #parse(at: number): MmdbFault | undefined {
    const { section } = this;
    this.at = at;
    this.type = 0;
    const control = section[at++];
    if (control === undefined) return 'truncated';
    this.type = control >>> 5;
    if (this.type === TYPE.pointer) return this.#parsePointer(control, at);
    if (this.type === EXTENDED) {
      const extension = section[at++];
      if (extension === undefined) return 'truncated';
      this.type = extension + 7;
      if (extension === 0 || NAMES[this.type] === undefined) return 'type';
    }
    const sizeBytes = Math.max(0, (control & 31) - 28);
    if (at + sizeBytes > section.length) return 'truncated';
    this.size = sizeBytes === 0 ? control & 31 : section.readUIntBE(at, sizeBytes) + SIZE_BIAS[sizeBytes]!;
    this.payload = this.end = at + sizeBytes;
    return this.#checkSize(section.length - this.payload);
  }

  /** Checks the size against the type and the bytes left. Moves `end` after the payload of scalars. */
  #checkSize(left: number): MmdbFault | undefined {
    const { type, size } = this;
    if (type === TYPE.map) return size > left / 2 ? 'count' : undefined;
    if (type === TYPE.array) return size > left ? 'count' : undefined;
    if (type === TYPE.boolean) return size > 1 ? 'size' : undefined;
    const isFixed = type === TYPE.double || type === TYPE.float;
    if (size > MAX_BYTES[type]! || (isFixed && size !== MAX_BYTES[type])) return 'size';
    if (size > left) return 'truncated';
    this.end = this.payload + size;
    return undefined;
  }

  #parsePointer(control: number, at: number): MmdbFault | undefined {
    const { section } = this;
    const bytes = ((control >>> 3) & 3) + 1;
    if (at + bytes > section.length) return 'truncated';
    let value = bytes === 4 ? 0 : control & 7;
    for (let i = 0; i < bytes; i++) value = value * 256 + section[at + i]!;
    this.target = value + POINTER_BIAS[bytes]!;
    this.size = 0;
    this.payload = at;
    this.end = at + bytes;
    return undefined;
  }

  #describe(fault: MmdbFault): string {
    const name = typeName(this.type);
    if (fault === 'type') return `${this.type} is not an extended type of the format`;
    if (fault === 'size') return `${name} of ${this.size} bytes`;
    if (fault === 'count') return `${name} of ${this.size} entries, more than the bytes left can hold`;
    return `${this.type === EXTENDED ? 'value' : name} runs past the end of the section`;
  }
}

const EXTENDED = 0;

/** Indexed by the number of additional size bytes. */
const SIZE_BIAS = [0, 29, 285, 65_821] as const;

/** Indexed by the number of bytes after the control byte. Four bytes hold the offset without a bias. */
const POINTER_BIAS = [0, 0, 2048, 526_336, 0] as const;

/** Names and largest payloads in bytes, indexed by type number. */
const NAMES: readonly (string | undefined)[] = Array.from({ length: 16 }, (_, type) =>
  Object.entries(TYPE).find(([, number]) => number === type),
).map((entry) => entry?.[0]);
const MAX_BYTES = [0, 0, Infinity, 8, Infinity, 2, 4, 0, 4, 8, 16, 0, 0, 0, 0, 4] as const;

const KEY_TEXT_BYTES = 60;

/** Formats a key for a path: truncated when long, `?` when it cannot be read. */
function keyText(section: Buffer, at: number): string {
  const cursor = new DataCursor(section, 0);
  try {
    cursor.open(at);
    if (cursor.type === TYPE.pointer) cursor.follow(at);
  } catch (error) {
    if (error instanceof MmdbError) return '?';
    throw error;
  }
  if (cursor.type !== TYPE.string) return '?';
  return section.toString('utf8', cursor.payload, Math.min(cursor.end, cursor.payload + KEY_TEXT_BYTES));
}
