import { ABSENT } from '../table/zip.js';
import { DataCursor } from './data-cursor.js';
import { ValueDecoder, type MmdbValue } from './decode.js';
import { TYPE_NUMBERS as TYPE } from './encode.js';
import type { MmdbLayout } from './tree-layout.js';

/**
 * Finds some fields of records without decoding the rest: of records that share most of their values, most have only
 * new confidences and coordinates.
 */
export class RecordFields {
  readonly #cursor: DataCursor;
  readonly #decoder: ValueDecoder;
  readonly #names: readonly string[];
  /** The index of a field by the offset of its key; ABSENT for other fields. */
  readonly #indexes = new Map<number, number>();

  constructor({ data, dataStart }: Pick<MmdbLayout, 'data' | 'dataStart'>, names: readonly string[]) {
    this.#cursor = new DataCursor(data, dataStart);
    this.#decoder = new ValueDecoder(data, dataStart);
    this.#names = names;
  }

  /**
   * Writes the offset of each field's value to `offsets`: equal offsets are equal values. ABSENT for fields that the
   * record does not have. Throws MmdbError if the record is not a map.
   */
  locate(record: number, offsets: Int32Array): void {
    offsets.fill(ABSENT);
    const cursor = this.#cursor;
    if (cursor.open(record) !== TYPE.map) throw cursor.error('schema', record, 'the record is not a map');
    let at = cursor.payload;
    for (let left = cursor.size; left > 0; left--) {
      const isPointer = cursor.open(at) === TYPE.pointer;
      const behind = cursor.end;
      const index = this.#indexOf(isPointer ? cursor.target : at);
      if (index !== ABSENT) offsets[index] = cursor.open(behind) === TYPE.pointer ? cursor.target : behind;
      at = this.#skip(behind);
    }
  }

  /** Decodes the value at an offset. */
  valueAt(offset: number): MmdbValue {
    return this.#decoder.decode(offset);
  }

  #indexOf(key: number): number {
    const held = this.#indexes.get(key);
    if (held !== undefined) return held;
    const name = this.#decoder.decode(key);
    const index = typeof name === 'string' ? this.#names.indexOf(name) : ABSENT;
    this.#indexes.set(key, index);
    return index;
  }

  /** Returns the offset after the value at an offset. */
  #skip(at: number): number {
    const cursor = this.#cursor;
    const type = cursor.open(at);
    let next = cursor.end;
    const values = type === TYPE.map ? 2 * cursor.size : type === TYPE.array ? cursor.size : 0;
    for (let i = 0; i < values; i++) next = this.#skip(next);
    return next;
  }
}
