import { DataCursor, typeName } from './data-cursor.js';
import { TYPE_NUMBERS as TYPE } from './encode.js';

/** A decoded value. Integers up to 32 bits are numbers, uint64 and uint128 are bigints. Frozen, except for bytes. */
export type MmdbValue =
  string | number | bigint | boolean | Buffer | readonly MmdbValue[] | { readonly [key: string]: MmdbValue };

/**
 * Decodes the values of a data section, or of the metadata, where pointers count from its own start. Maps, arrays and
 * targets of pointers are cached by offset: values shared in the file are shared in memory, so pointers that multiply
 * values cost no more than the bytes of the file. Throws MmdbError at the first byte that violates the format.
 */
export class ValueDecoder {
  readonly #cursor: DataCursor;
  readonly #held = new ValuesByOffset();
  #next = 0;

  constructor(
    /** The section; pointers are offsets in it. */
    section: Buffer,
    /** The byte offset of the section in the file, for messages. */
    base = 0,
  ) {
    this.#cursor = new DataCursor(section, base);
  }

  /** Decodes the value at a section offset. */
  decode(at: number): MmdbValue {
    this.#cursor.depth = 0;
    return this.#read(at);
  }

  /** The section offset after the value decoded last. */
  get end(): number {
    return this.#next;
  }

  /** Reads a value or the target of a pointer. Sets `#next` to the offset after the value or the pointer. */
  #read(at: number): MmdbValue {
    const cursor = this.#cursor;
    cursor.open(at);
    if (cursor.type !== TYPE.pointer) return this.#readHere(at);
    const behind = cursor.end;
    const target = cursor.follow(at);
    const value = this.#held.get(target) ?? this.#held.keep(target, this.#readHere(target));
    this.#next = behind;
    return value;
  }

  /** Reads the value that the cursor has opened at `at`. */
  #readHere(at: number): MmdbValue {
    const { section, type, size, payload, end } = this.#cursor;
    if (type === TYPE.map) return this.#readMap(at);
    if (type === TYPE.array) return this.#readArray(at);
    this.#next = end;
    switch (type) {
      case TYPE.string:
        return this.#readString(at);
      case TYPE.double:
        return section.readDoubleBE(payload);
      case TYPE.float:
        return section.readFloatBE(payload);
      case TYPE.bytes:
        return Buffer.from(section.subarray(payload, end));
      case TYPE.int32:
        return size === 4 ? section.readInt32BE(payload) : unsignedAt(section, payload, size);
      case TYPE.uint64:
      case TYPE.uint128:
        return size === 0 ? 0n : BigInt(`0x${section.toString('hex', payload, end)}`);
      case TYPE.boolean:
        return size === 1;
      default:
        return unsignedAt(section, payload, size);
    }
  }

  #readMap(at: number): MmdbValue {
    const cursor = this.#cursor;
    const map: Record<string, MmdbValue> = {};
    let next = cursor.payload;
    const count = cursor.size;
    cursor.enter(at);
    for (let i = 0; i < count; i++) {
      const key = this.#readKey(next);
      if (Object.hasOwn(map, key)) throw cursor.error('duplicate-key', next, `duplicate key "${key}"`);
      setField(map, key, this.#read(this.#next));
      next = this.#next;
    }
    cursor.leave();
    this.#next = next;
    return this.#held.keep(at, Object.freeze(map));
  }

  #readKey(at: number): string {
    const cursor = this.#cursor;
    const isPointer = cursor.open(at) === TYPE.pointer;
    this.#next = cursor.end;
    const keyAt = isPointer ? cursor.follow(at) : at;
    if (cursor.type !== TYPE.string) {
      throw cursor.error('key-type', at, `map key of type ${typeName(cursor.type)}: expected string`);
    }
    cursor.atKey(keyAt);
    if (!isPointer) return this.#readString(at);
    return (this.#held.get(keyAt) ?? this.#held.keep(keyAt, this.#readString(keyAt))) as string;
  }

  #readArray(at: number): MmdbValue {
    const cursor = this.#cursor;
    const array: MmdbValue[] = [];
    const count = cursor.size;
    this.#next = cursor.payload;
    cursor.enter(at);
    for (let i = 0; i < count; i++) {
      cursor.atIndex(i);
      array.push(this.#read(this.#next));
    }
    cursor.leave();
    return this.#held.keep(at, Object.freeze(array));
  }

  #readString(at: number): string {
    const cursor = this.#cursor;
    const { section, payload, end } = cursor;
    if (isAscii(section, payload, end)) return section.toString('latin1', payload, end);
    try {
      return strictUtf8.decode(section.subarray(payload, end));
    } catch (cause) {
      throw cursor.error('utf8', at, 'invalid UTF-8 in a string', { cause });
    }
  }
}

/** Whether the bytes `from`..`to` (exclusive) are all below 128. */
export function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! > 127) return false;
  return true;
}

/** U+FEFF at the start of a value is part of the value. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function unsignedAt(section: Buffer, at: number, size: number): number {
  return size === 0 ? 0 : section.readUIntBE(at, size);
}

/** Assigns a field. `__proto__` is defined as an ordinary property: assignment would set the prototype. */
function setField(map: Record<string, MmdbValue>, key: string, value: MmdbValue): void {
  if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true });
  else map[key] = value;
}

/** Decoded values by section offset, in one Map per MiB: a Map holds at most 2^24 entries. */
class ValuesByOffset {
  readonly #shards: (Map<number, MmdbValue> | undefined)[] = [];

  get(at: number): MmdbValue | undefined {
    return this.#shards[at >>> 20]?.get(at);
  }

  /** Stores `value` unless the offset already has one. Returns the stored value. */
  keep(at: number, value: MmdbValue): MmdbValue {
    const shard = (this.#shards[at >>> 20] ??= new Map<number, MmdbValue>());
    const held = shard.get(at);
    if (held !== undefined) return held;
    shard.set(at, value);
    return value;
  }
}
