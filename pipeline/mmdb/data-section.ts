import { Uint32Column } from '../table/slots.js';
import { ByteColumn } from './byte-column.js';
import {
  encodeControl,
  encodePointer,
  encodeScalar,
  encodeString,
  pointerSize,
  TYPE_NUMBERS,
} from './encode.js';
import { MmdbEncodeError } from './encode-error.js';
import type { MapOfSchema, MapSchema, Schema } from './schema.js';

/**
 * The data section: each record written once, each string, map and array inside records written once and pointed
 * at where the pointer is shorter. Equal values are recognised by identity first, then by content, per schema, so
 * that uint16 1, uint32 1 and 1.0 never meet. A pointer never leads to a pointer, and nothing but records stands at
 * the top level.
 *
 * Every distinct string, map and array has a number, its *part id*; two columns hold where the part was first
 * written and how many bytes that took.
 */
export class DataSection {
  readonly #out = new ByteColumn();
  readonly #strings = new Map<string, number>();
  readonly #contents = new Map<string, number>();
  readonly #identities = new Map<Schema, Map<object, number>>();
  readonly #schemaIds = new Map<Schema, number>();
  readonly #fieldNames = new Map<MapSchema, readonly string[]>();
  readonly #records = new Map<string, number>();
  /** Names and indexes down to the value at hand; where an encoding error happened. */
  readonly #path: (string | number)[] = [];
  readonly #offsets = new Uint32Column();
  readonly #sizes = new Uint32Column();

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
    try {
      const key = this.#keyOf(value, schema);
      const held = this.#records.get(key);
      if (held !== undefined) return held;
      const offset = this.#out.length;
      this.#writeInline(value, schema);
      this.#records.set(key, offset);
      return offset;
    } catch (error) {
      if (!(error instanceof MmdbEncodeError)) throw error;
      throw new MmdbEncodeError(error.found, `/${this.#path.join('/')}`, { cause: error });
    }
  }

  /** Writes a value where it stands, or a pointer to its equal when that is shorter. */
  #write(value: unknown, schema: Schema): void {
    if (schema === 'string' && typeof value === 'string') {
      this.#writeString(value);
      return;
    }
    if (typeof schema === 'string') {
      encodeScalar(value, schema, this.#out);
      return;
    }
    const part = this.#partOf(value, schema);
    if (this.#pointTo(part)) return;
    const offset = this.#out.length;
    this.#writeInline(value, schema);
    this.#settle(part, offset);
  }

  #writeString(text: string): void {
    const part = this.#stringPart(text);
    if (this.#pointTo(part)) return;
    const offset = this.#out.length;
    encodeString(text, this.#out);
    this.#settle(part, offset);
  }

  #writeInline(value: unknown, schema: Schema): void {
    if (typeof schema === 'string') {
      encodeScalar(value, schema, this.#out);
    } else if (schema.kind === 'array') {
      const elements = expectArray(value);
      encodeControl(TYPE_NUMBERS.array, elements.length, this.#out);
      for (const [i, element] of elements.entries()) {
        this.#path.push(i);
        this.#write(element, schema.element);
        this.#path.pop();
      }
    } else {
      const entries = expectMap(value, schema);
      const names = this.#namesOf(entries, schema);
      encodeControl(TYPE_NUMBERS.map, countPresent(entries, names), this.#out);
      for (const name of names) {
        const entry = entries[name];
        if (entry === undefined) continue;
        this.#path.push(name);
        this.#writeString(name);
        this.#write(entry, entrySchema(schema, name));
        this.#path.pop();
      }
    }
  }

  /** Writes a pointer to a part that stands elsewhere, when that is shorter than the part itself. */
  #pointTo(part: number): boolean {
    const offset = this.#offsets.values[part]!;
    if (offset === UNWRITTEN || pointerSize(offset) >= this.#sizes.values[part]!) return false;
    encodePointer(offset, this.#out);
    return true;
  }

  #settle(part: number, offset: number): void {
    if (this.#offsets.values[part] !== UNWRITTEN) return;
    this.#offsets.values[part] = offset;
    this.#sizes.values[part] = this.#out.length - offset;
  }

  #newPart(): number {
    this.#offsets.reserve(1);
    this.#sizes.reserve(1);
    this.#offsets.values[this.#offsets.length] = UNWRITTEN;
    this.#sizes.length++;
    return this.#offsets.length++;
  }

  #stringPart(text: string): number {
    let part = this.#strings.get(text);
    if (part === undefined) this.#strings.set(text, (part = this.#newPart()));
    return part;
  }

  #partOf(value: unknown, schema: Schema): number {
    if (typeof value !== 'object' || value === null) throw new MmdbEncodeError('a map or array is missing');
    let identities = this.#identities.get(schema);
    if (!identities) this.#identities.set(schema, (identities = new Map<object, number>()));
    let part = identities.get(value);
    if (part !== undefined) return part;
    const key = this.#keyOf(value, schema);
    part = this.#contents.get(key);
    if (part === undefined) this.#contents.set(key, (part = this.#newPart()));
    identities.set(value, part);
    return part;
  }

  /** Equal for equal values of one schema, different otherwise. Parts stand in it by their numbers. */
  #keyOf(value: unknown, schema: Schema): string {
    if (typeof schema === 'string') return `${schema}${this.#atomOf(value, schema)}`;
    let key = String(this.#schemaId(schema));
    if (schema.kind === 'array') {
      for (const element of expectArray(value)) key += `,${this.#atomOf(element, schema.element)}`;
      return key;
    }
    const entries = expectMap(value, schema);
    const names = this.#namesOf(entries, schema);
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const entry = entries[name];
      if (entry === undefined) continue;
      const label = schema.kind === 'map' ? i : this.#stringPart(name);
      this.#path.push(name);
      key += `,${label}:${this.#atomOf(entry, entrySchema(schema, name))}`;
      this.#path.pop();
    }
    return key;
  }

  #atomOf(value: unknown, schema: Schema): string | number {
    if (typeof schema !== 'string') return this.#partOf(value, schema);
    if (typeof value === 'string') return this.#stringPart(value);
    if (Buffer.isBuffer(value)) return value.toString('hex');
    return Object.is(value, -0) ? '-0' : String(value);
  }

  /** The names of a map in writing order: the schema's, or the value's own where any key may occur. */
  #namesOf(entries: Entries, schema: MapSchema | MapOfSchema): readonly string[] {
    if (schema.kind === 'mapOf') return Object.keys(entries);
    let names = this.#fieldNames.get(schema);
    if (!names) this.#fieldNames.set(schema, (names = Object.keys(schema.fields)));
    return names;
  }

  #schemaId(schema: Schema): number {
    let id = this.#schemaIds.get(schema);
    if (id === undefined) this.#schemaIds.set(schema, (id = this.#schemaIds.size));
    return id;
  }
}

const UNWRITTEN = 0xffff_ffff;

type Entries = Readonly<Record<string, unknown>>;

function entrySchema(schema: MapSchema | MapOfSchema, name: string): Schema {
  return schema.kind === 'mapOf' ? schema.value : schema.fields[name]!;
}

function countPresent(entries: Entries, names: readonly string[]): number {
  let present = 0;
  for (const name of names) if (entries[name] !== undefined) present++;
  return present;
}

/** The entries of a map. Throws for keys that its schema does not know. */
function expectMap(value: unknown, schema: MapSchema | MapOfSchema): Entries {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Buffer.isBuffer(value)) {
    throw new MmdbEncodeError('a map is missing');
  }
  if (schema.kind === 'map') {
    for (const name in value) {
      if (!(name in schema.fields)) throw new MmdbEncodeError(`key "${name}" is not in the schema`);
    }
  }
  return value as Entries;
}

function expectArray(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new MmdbEncodeError('an array is missing');
  return value as readonly unknown[];
}
