import assert from 'node:assert';
import { Uint32Column } from '../table/slots.js';
import { ByteColumn } from './byte-column.js';
import { MAX_DEPTH } from './data-cursor.js';
import { describe, encodeScalar } from './encode.js';
import { MmdbEncodeError } from './encode-error.js';
import { TextPacker } from './packed-text.js';
import { isPart, SchemaNodes, type PartNode, type SchemaNode } from './schema-node.js';
import { pushScalarAtoms } from './scalar-atoms.js';
import type { MapSchema, Schema, ScalarType } from './schema.js';
import { WordRuns } from './word-runs.js';

/**
 * Distinct values as runs of words. Equal values are stored once. A value inside another value is stored as
 * *atoms*: a
 * string by the number of its text, a map or array by the number of its part, another scalar as
 * `[length in bytes][encoding, padded with zeros]`.
 *
 * A part is `[schema][number of entries]` followed by the entries in writing order. Array: the atoms of the element.
 * Map: position of the field, atoms. Map with arbitrary keys: text of the key, atoms. A record that is a scalar is
 * `[schema]` and its atoms. Encodings include the type: uint16 1, uint32 1 and 1.0 are three values, and -0.0 is
 * not 0.
 */
export class ValuePool {
  readonly parts = new WordRuns();
  /** Strings and map keys, as packed by TextPacker. */
  readonly texts = new WordRuns();
  readonly nodes = new SchemaNodes();
  readonly #packer = new TextPacker();
  readonly #scalar = new ByteColumn(64);
  /** The words of the parts under construction, the innermost part last. */
  readonly #pending = new Uint32Column();
  /** The texts of map keys. There are usually few. */
  readonly #keys = new Map<string, number>();
  /** The names and indexes down to the current value, for errors. */
  readonly #path: (string | number)[] = [];

  /** Returns the part number of a record. Throws MmdbEncodeError when the value does not fit the schema. */
  intern(value: unknown, schema: Schema): number {
    this.#path.length = 0;
    this.#pending.length = 0;
    try {
      const node = this.nodes.nodeOf(schema);
      if (isPart(node)) this.#pushPart(value, node);
      else this.#pushScalarRecord(value, node);
      this.#pending.values[0]! |= RECORD;
      return this.#finishPart(0);
    } catch (error) {
      throw this.#located(error);
    }
  }

  /** Returns the part number of a map or array, the value of a field inside a record. Throws MmdbEncodeError. */
  internField(value: object, schema: MapSchema, name: string): number {
    this.#path.length = 0;
    this.#path.push(name);
    this.#pending.length = 0;
    try {
      const node = this.nodes.nodeOf(schema.fields[name]!);
      assert(isPart(node), `field "${name}" is not a map or an array`);
      return this.#internPart(value, node);
    } catch (error) {
      throw this.#located(error);
    }
  }

  /** Adds the path of the current value to an MmdbEncodeError. */
  #located(error: unknown): unknown {
    if (!(error instanceof MmdbEncodeError)) return error;
    return new MmdbEncodeError(error.found, `/${this.#path.join('/')}`, { cause: error });
  }

  /** Returns the text number of a map key. */
  keyOf(name: string): number {
    let key = this.#keys.get(name);
    if (key === undefined) {
      if (this.#keys.size >= MAX_KEYS) this.#keys.clear();
      this.#keys.set(name, (key = this.textOf(name)));
    }
    return key;
  }

  #internPart(value: unknown, node: PartNode): number {
    if (typeof value !== 'object' || value === null)
      throw new MmdbEncodeError(`${describe(value)}: expected a map or an array`);
    const recent = node.recent.get(value);
    if (recent !== undefined) return recent;
    const from = this.#pending.length;
    this.#pushPart(value, node);
    const known = this.parts.count;
    const part = this.#finishPart(from);
    // Seen for the second time: the caller may share this object among more records.
    if (known === this.parts.count) node.recent.set(value, part);
    return part;
  }

  #pushPart(value: unknown, node: PartNode): void {
    if (typeof value !== 'object' || value === null)
      throw new MmdbEncodeError(`${describe(value)}: expected a map or an array`);
    // Also ends the recursion into a value that contains itself.
    if (this.#path.length === MAX_DEPTH)
      throw new MmdbEncodeError(`nested more than ${MAX_DEPTH} levels deep`);
    const from = this.#pending.length;
    this.#push(node.id);
    this.#push(0);
    const entries =
      node.kind === 'array'
        ? this.#pushElements(value, node)
        : node.kind === 'map'
          ? this.#pushFields(value, node)
          : this.#pushEntries(value, node);
    this.#pending.values[from + 1] = entries;
  }

  #pushScalarRecord(value: unknown, node: SchemaNode): void {
    this.#push(node.id);
    this.#pushAtoms(value, node);
  }

  #finishPart(from: number): number {
    const part = this.parts.intern(this.#pending.values, from, this.#pending.length);
    this.#pending.length = from;
    return part;
  }

  #pushElements(value: object, { values }: SchemaNode): number {
    const elements = expectArray(value);
    const element = values[0]!;
    for (let i = 0; i < elements.length; i++) {
      this.#path.push(i);
      this.#pushAtoms(elements[i], element);
      this.#path.pop();
    }
    return elements.length;
  }

  #pushFields(value: object, { names, values }: SchemaNode): number {
    const entries = expectMap(value);
    let present = 0;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const entry = entries[name];
      if (entry === undefined) continue;
      present++;
      this.#path.push(name);
      this.#push(i);
      this.#pushAtoms(entry, values[i]!);
      this.#path.pop();
    }
    refuseOthers(entries, names, present);
    return present;
  }

  #pushEntries(value: object, { values }: SchemaNode): number {
    const entries = expectMap(value);
    const node = values[0]!;
    let present = 0;
    for (const name in entries) {
      const entry = entries[name];
      if (entry === undefined || !Object.hasOwn(entries, name)) continue;
      present++;
      this.#path.push(name);
      this.#push(this.keyOf(name));
      this.#pushAtoms(entry, node);
      this.#path.pop();
    }
    return present;
  }

  #pushAtoms(value: unknown, node: SchemaNode): void {
    if (node.kind === 'string') {
      if (typeof value !== 'string') throw new MmdbEncodeError(`${describe(value)}: expected a string`);
      this.#push(this.textOf(value));
    } else if (isPart(node)) {
      this.#push(this.#internPart(value, node));
    } else {
      this.#pushScalar(value, node.kind);
    }
  }

  #pushScalar(value: unknown, type: ScalarType): void {
    this.#scalar.length = 0;
    encodeScalar(value, type, this.#scalar);
    pushScalarAtoms(this.#scalar, this.#pending);
  }

  /** Returns the number of a text. Throws MmdbEncodeError. */
  /** Returns the number of a text. Throws MmdbEncodeError. */
  textOf(text: string): number {
    const words = this.#packer.pack(text);
    return this.texts.intern(this.#packer.words, 0, words);
  }

  #push(word: number): void {
    const pending = this.#pending;
    if (pending.length === pending.values.length) pending.reserve(1);
    pending.values[pending.length++] = word;
  }
}

/** Set in the first word of a record, which distinguishes it from an equal part inside another record. */
export const RECORD = 0x8000_0000;

const MAX_KEYS = 4096;

type Entries = Readonly<Record<string, unknown>>;

function expectMap(value: object): Entries {
  if (Array.isArray(value) || Buffer.isBuffer(value))
    throw new MmdbEncodeError(`${Array.isArray(value) ? 'an array' : 'bytes'}: expected a map`);
  return value as Entries;
}

function expectArray(value: object): readonly unknown[] {
  if (!Array.isArray(value)) throw new MmdbEncodeError(`${describe(value)}: expected an array`);
  return value as readonly unknown[];
}

/** Throws when a map has keys that are not in its schema. `present` is the number of keys that are, with a value. */
function refuseOthers(entries: Entries, names: readonly string[], present: number): void {
  if (Object.keys(entries).length === present) return;
  for (const name in entries) {
    if (!names.includes(name)) throw new MmdbEncodeError(`key "${name}" is not in the schema`);
  }
}
