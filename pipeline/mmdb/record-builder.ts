import { Uint32Column } from '../table/slots.js';
import { ByteColumn } from './byte-column.js';
import { encodeScalar } from './encode.js';
import { pushScalarAtoms } from './scalar-atoms.js';
import type { MapSchema, ScalarType } from './schema.js';
import { RECORD, type ValuePool } from './value-pool.js';

/**
 * Builds maps from the numbers of their parts, without an object per record: for millions of records with few distinct
 * parts. One map at a time: `start`, the fields in the order of the schema, `finish`.
 */
export class RecordBuilder {
  readonly #pool: ValuePool;
  readonly #words = new Uint32Column(64);
  readonly #scalar = new ByteColumn(64);

  constructor(pool: ValuePool) {
    this.#pool = pool;
  }

  /** Returns the part number of a map or array, a value of field `name`. Throws MmdbEncodeError. */
  partOf(value: object, schema: MapSchema, name: string): number {
    return this.#pool.internField(value, schema, name);
  }

  /** Starts a map. */
  start(schema: MapSchema): void {
    const { values } = this.#words;
    values[0] = this.#pool.nodes.nodeOf(schema).id;
    values[1] = 0;
    this.#words.length = 2;
  }

  /** Returns the number of a text. Throws MmdbEncodeError. */
  textOf(text: string): number {
    return this.#pool.textOf(text);
  }

  /** Adds a map, array or string by its number. `field` is the position of the field in the schema. */
  addPart(field: number, part: number): void {
    this.#add(field);
    this.#words.values[this.#words.length++] = part;
  }

  /** Adds a scalar other than a string. Throws MmdbEncodeError. */
  addScalar(field: number, type: ScalarType, value: unknown): void {
    this.#add(field);
    this.#scalar.length = 0;
    encodeScalar(value, type, this.#scalar);
    pushScalarAtoms(this.#scalar, this.#words);
  }

  /** Returns the part number of the map, a value inside records. */
  finish(): number {
    return this.#pool.parts.intern(this.#words.values, 0, this.#words.length);
  }

  /** Returns the part number of the map, a record. */
  finishRecord(): number {
    this.#words.values[0]! |= RECORD;
    return this.finish();
  }

  #add(field: number): void {
    this.#words.reserve(2);
    this.#words.values[1]!++;
    this.#words.values[this.#words.length++] = field;
  }
}
