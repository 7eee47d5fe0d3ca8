import { ByteColumn } from './byte-column.js';
import { encodeControl, encodePointer, encodeScalar, encodeString, pointerSize, TYPE_NUMBERS } from './encode.js';
import { MmdbEncodeError } from './encode-error.js';
import type { MapOfSchema, MapSchema, Schema } from './schema.js';

/** Where a nested value or string stands, and how many bytes its first writing took. */
interface Placed {
  readonly id: number;
  /** Offset in the data section; absent until it has been written inside a record. */
  offset?: number;
  sizeBytes: number;
}

/**
 * The data section: each record written once, each string, map and array inside records written once and pointed
 * at where the pointer is shorter. Equal values are recognised by identity first, then by content, per schema, so
 * that uint16 1, uint32 1 and 1.0 never meet. A pointer never leads to a pointer, and nothing but records stands at
 * the top level.
 */
export class DataSection {
  readonly #out = new ByteColumn();
  readonly #strings = new Map<string, Placed>();
  readonly #contents = new Map<string, Placed>();
  readonly #identities = new Map<Schema, Map<object, Placed>>();
  readonly #schemaIds = new Map<Schema, number>();
  readonly #records = new Map<string, number>();
  #ids = 0;

  get sizeBytes(): number {
    return this.#out.length;
  }

  view(): Buffer {
    return this.#out.view();
  }

  /**
   * Writes a record, or finds the equal one written before; its offset. Throws MmdbEncodeError where the value does
   * not fit the schema.
   */
  addRecord(value: unknown, schema: Schema): number {
    const key = this.#keyOf(value, schema, '');
    const held = this.#records.get(key);
    if (held !== undefined) return held;
    const offset = this.#out.length;
    this.#writeInline(value, schema, '');
    this.#records.set(key, offset);
    return offset;
  }

  /** Writes a value where it stands, or a pointer to its equal when that is shorter. */
  #write(value: unknown, schema: Schema, path: string): void {
    if (schema === 'string' && typeof value === 'string') {
      this.#writeString(value, path);
    } else if (typeof schema === 'string') {
      encodeScalar(value, schema, this.#out, path);
    } else {
      this.#writePlaced(this.#place(value, schema, path), () => {
        this.#writeInline(value, schema, path);
      });
    }
  }

  #writeString(text: string, path: string): void {
    this.#writePlaced(this.#placeString(text), () => {
      encodeString(text, this.#out, path);
    });
  }

  #writePlaced(placed: Placed, writeInline: () => void): void {
    if (placed.offset !== undefined && pointerSize(placed.offset) < placed.sizeBytes) {
      encodePointer(placed.offset, this.#out);
      return;
    }
    const offset = this.#out.length;
    writeInline();
    placed.offset ??= offset;
    placed.sizeBytes = this.#out.length - offset;
  }

  #writeInline(value: unknown, schema: Schema, path: string): void {
    if (typeof schema === 'string') {
      encodeScalar(value, schema, this.#out, path);
    } else if (schema.kind === 'array') {
      const elements = expectArray(value, path);
      encodeControl(TYPE_NUMBERS.array, elements.length, this.#out);
      elements.forEach((element, i) => {
        this.#write(element, schema.element, `${path}/${i}`);
      });
    } else {
      const entries = entriesOf(value, schema, path);
      encodeControl(TYPE_NUMBERS.map, entries.length, this.#out);
      for (const [name, entry, entrySchema] of entries) {
        this.#writeString(name, path);
        this.#write(entry, entrySchema, `${path}/${name}`);
      }
    }
  }

  #placeString(text: string): Placed {
    let placed = this.#strings.get(text);
    if (!placed) this.#strings.set(text, (placed = { id: this.#ids++, sizeBytes: 0 }));
    return placed;
  }

  #place(value: unknown, schema: Schema, path: string): Placed {
    if (typeof value !== 'object' || value === null) throw new MmdbEncodeError(path, 'a map or array is missing');
    let identities = this.#identities.get(schema);
    if (!identities) this.#identities.set(schema, (identities = new Map<object, Placed>()));
    let placed = identities.get(value);
    if (placed) return placed;
    const key = this.#keyOf(value, schema, path);
    placed = this.#contents.get(key);
    if (!placed) this.#contents.set(key, (placed = { id: this.#ids++, sizeBytes: 0 }));
    identities.set(value, placed);
    return placed;
  }

  /** Equal for equal values of one schema, different otherwise. Nested values stand in it by their ids. */
  #keyOf(value: unknown, schema: Schema, path: string): string {
    if (typeof schema === 'string') return `${schema}${this.#atomOf(value, schema, path)}`;
    let key = String(this.#schemaId(schema));
    if (schema.kind === 'array') {
      for (const element of expectArray(value, path)) key += `,${this.#atomOf(element, schema.element, path)}`;
      return key;
    }
    for (const [name, entry, entrySchema] of entriesOf(value, schema, path)) {
      key += `,${this.#placeString(name).id}:${this.#atomOf(entry, entrySchema, path)}`;
    }
    return key;
  }

  #atomOf(value: unknown, schema: Schema, path: string): string {
    if (typeof schema !== 'string') return String(this.#place(value, schema, path).id);
    if (typeof value === 'string') return String(this.#placeString(value).id);
    if (Buffer.isBuffer(value)) return value.toString('hex');
    return Object.is(value, -0) ? '-0' : String(value);
  }

  #schemaId(schema: Schema): number {
    let id = this.#schemaIds.get(schema);
    if (id === undefined) this.#schemaIds.set(schema, (id = this.#schemaIds.size));
    return id;
  }
}

type Entry = readonly [name: string, value: unknown, schema: Schema];

/** The present entries of a map in writing order: the schema's, or the value's own where any key may occur. */
function entriesOf(value: unknown, schema: MapSchema | MapOfSchema, path: string): Entry[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MmdbEncodeError(path, 'a map is missing');
  }
  const held = value as Readonly<Record<string, unknown>>;
  const entries: Entry[] = [];
  if (schema.kind === 'mapOf') {
    for (const name of Object.keys(held)) {
      if (held[name] !== undefined) entries.push([name, held[name], schema.value]);
    }
    return entries;
  }
  let known = 0;
  for (const name in schema.fields) {
    if (name in held) known++;
    if (held[name] !== undefined) entries.push([name, held[name], schema.fields[name]!]);
  }
  if (known !== Object.keys(held).length) {
    const stranger = Object.keys(held).find((name) => !(name in schema.fields)) ?? '';
    throw new MmdbEncodeError(`${path}/${stranger}`, 'key is not in the schema');
  }
  return entries;
}

function expectArray(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new MmdbEncodeError(path, 'an array is missing');
  return value as readonly unknown[];
}

