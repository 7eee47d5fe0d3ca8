import { Bitset } from './bitset.js';
import { DataCursor, typeName } from './data-cursor.js';
import { TYPE_NUMBERS as TYPE } from './encode.js';
import type { ProblemList } from './problems.js';
import type { Schema } from './schema.js';
import type { MmdbLayout } from './tree-layout.js';

/**
 * Checks every top-level value against the schema: only known keys, and every value of exactly the type of the schema.
 * The data section must have passed scanData and verifyPointers.
 *
 * A map or array behind a pointer is checked once against each part of the schema.
 */
export function verifySchema(layout: MmdbLayout, schema: Schema, problems: ProblemList): void {
  const walk = new SchemaWalk(layout, problems);
  const expected = compileSchema(schema, new Map());
  for (let at = 0; at < layout.data.length; at = walk.end) walk.check(at, expected);
}

/** A part of a schema with the type numbers of the file. */
interface Expected {
  /** A type number; absent where any value is accepted, below a value that was reported. */
  readonly type?: number;
  /** For a map with known keys. */
  fields?: ReadonlyMap<string, Expected>;
  /** For an array or a map with arbitrary keys. */
  element?: Expected;
  /** The section offsets of maps and arrays behind pointers that have been checked against this part. */
  checked?: Bitset;
  /** Entries found lately, by the offset to which the pointer of their key leads. */
  readonly recent: RecentEntries;
}

/** The entries of the keys used last, one per remainder of their offsets: most maps have the same few keys. */
class RecentEntries {
  readonly #offsets = new Float64Array(RECENT_KEYS).fill(-1);
  readonly #entries: (Expected | undefined)[] = new Array<undefined>(RECENT_KEYS).fill(undefined);

  get(offset: number): Expected | undefined {
    const at = offset % RECENT_KEYS;
    return this.#offsets[at] === offset ? this.#entries[at] : undefined;
  }

  set(offset: number, entry: Expected): void {
    const at = offset % RECENT_KEYS;
    this.#offsets[at] = offset;
    this.#entries[at] = entry;
  }
}

const RECENT_KEYS = 64;

/** Creates one Expected per schema object. `compiled` caches them. */
function compileSchema(schema: Schema, compiled: Map<Schema, Expected>): Expected {
  const held = compiled.get(schema);
  if (held) return held;
  const type = typeof schema === 'string' ? TYPE[schema] : schema.kind === 'array' ? TYPE.array : TYPE.map;
  const expected: Expected = { type, recent: new RecentEntries() };
  compiled.set(schema, expected);
  if (typeof schema === 'string') return expected;
  if (schema.kind === 'array') expected.element = compileSchema(schema.element, compiled);
  else if (schema.kind === 'mapOf') expected.element = compileSchema(schema.value, compiled);
  else {
    const fields = Object.entries(schema.fields);
    expected.fields = new Map(fields.map(([key, field]) => [key, compileSchema(field, compiled)]));
  }
  return expected;
}

const ANYTHING: Expected = { recent: new RecentEntries() };

/** The maximum number of cached key texts, a bound on the memory that a hostile file can take. */
const KEYS_KEPT = 65_536;

class SchemaWalk {
  /** The section offset after the value checked last. */
  end = 0;
  readonly #cursor: DataCursor;
  readonly #problems: ProblemList;
  readonly #keys = new Map<number, string>();

  constructor(layout: MmdbLayout, problems: ProblemList) {
    this.#cursor = new DataCursor(layout.data, layout.dataStart);
    this.#problems = problems;
  }

  check(at: number, expected: Expected): void {
    const cursor = this.#cursor;
    if (cursor.open(at) !== TYPE.pointer) {
      this.#checkHere(at, expected);
      return;
    }
    const behind = cursor.end;
    if (expected.type !== undefined && expected.checked?.has(cursor.target) !== true) {
      const target = cursor.follow(at);
      if (this.#isNew(target, expected)) this.#checkHere(target, expected);
    }
    this.end = behind;
  }

  /** Returns false when the cursor is at a map or array that has been checked against `expected` before. */
  #isNew(target: number, expected: Expected): boolean {
    const { type, section } = this.#cursor;
    if (type !== TYPE.map && type !== TYPE.array) return true;
    return (expected.checked ??= new Bitset(section.length)).add(target);
  }

  /** Checks the value that the cursor has opened at `at`. */
  #checkHere(at: number, expected: Expected): void {
    const cursor = this.#cursor;
    const { type, end } = cursor;
    const allowed = expected.type ?? type;
    if (type !== allowed) {
      this.#problems.add(() =>
        cursor.error('schema', at, `type ${typeName(type)}: expected ${typeName(allowed)}`),
      );
    }
    if (type === TYPE.map) this.#checkMap(at, type === allowed ? expected : ANYTHING);
    else if (type === TYPE.array) this.#checkArray(at, type === allowed ? expected : ANYTHING);
    else this.end = end;
  }

  #checkMap(at: number, expected: Expected): void {
    const cursor = this.#cursor;
    const count = cursor.size;
    this.end = cursor.payload;
    cursor.enter(at);
    for (let i = 0; i < count; i++) {
      const keyAt = this.end;
      cursor.atKey(keyAt);
      const entry = expected.fields ? this.#fieldAt(keyAt, expected) : this.#elementAt(keyAt, expected);
      this.check(this.end, entry);
    }
    cursor.leave();
  }

  #checkArray(at: number, { element }: Expected): void {
    const cursor = this.#cursor;
    const count = cursor.size;
    this.end = cursor.payload;
    cursor.enter(at);
    for (let i = 0; i < count; i++) {
      cursor.atIndex(i);
      this.check(this.end, element ?? ANYTHING);
    }
    cursor.leave();
  }

  /** Reads a key and returns what its field must be. Sets `end` to the offset after the key. */
  #fieldAt(at: number, { fields, recent }: Expected): Expected {
    const cursor = this.#cursor;
    const isPointer = cursor.open(at) === TYPE.pointer;
    this.end = cursor.end;
    const { target } = cursor;
    const known = isPointer ? recent.get(target) : undefined;
    if (known !== undefined) return known;
    if (isPointer) cursor.follow(at);
    const key = this.#textHere();
    const field = fields!.get(key);
    if (field === undefined)
      this.#problems.add(() => cursor.error('schema', at, `key "${key}" is not in the schema`));
    else if (isPointer) recent.set(target, field);
    return field ?? ANYTHING;
  }

  /** Skips an arbitrary key, which verifyPointers has checked. Returns what its value must be. */
  #elementAt(at: number, { element }: Expected): Expected {
    this.#cursor.open(at);
    this.end = this.#cursor.end;
    return element ?? ANYTHING;
  }

  /** Reads the text that the cursor has opened. */
  #textHere(): string {
    const { section, payload, end } = this.#cursor;
    let text = this.#keys.get(payload);
    if (text === undefined) {
      text = section.toString('utf8', payload, end);
      if (this.#keys.size < KEYS_KEPT) this.#keys.set(payload, text);
    }
    return text;
  }
}
