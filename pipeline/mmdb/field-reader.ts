import { DataCursor } from './data-cursor.js';
import { ValueDecoder, type MmdbValue } from './decode.js';
import { TYPE_NUMBERS as TYPE } from './encode.js';
import type { MmdbLayout } from './tree-layout.js';

/** The keys and indexes from a record to a field: `['subdivisions', 0, 'iso_code']`. */
export type FieldPath = readonly (string | number)[];

/** A part of the record on the way to fields. */
interface PathNode<Value> {
  /** The field that ends here, or -1. */
  field: number;
  readonly children: Map<string | number, PathNode<Value>>;
  /** The fields at and below this node. */
  readonly fields: number[];
  /** Children by the offset of the key, for keys behind pointers. */
  readonly byKeyOffset: Map<number, PathNode<Value> | undefined>;
  /** Values of `fields` by the offset of a part that is behind a pointer. Emptied when it is full. */
  readonly parts: Map<number, readonly Value[]>;
}

/** How the values of fields are given to the caller. Each value of a shared part is encoded once. */
export interface FieldEncoding<Value> {
  readonly encode: (value: MmdbValue) => Value;
  readonly absent: Value;
}

/** Gives fields as decoded values. */
export const AS_VALUES: FieldEncoding<MmdbValue | undefined> = {
  encode: (value) => value,
  absent: undefined,
};

const MOST_PARTS = 20_000;

/**
 * Reads chosen fields of records without decoding the others. Parts that many records share are read once. Uses bounded
 * memory, however many records the file has.
 */
export class FieldReader<Value> {
  /** The fields of the record read last, in the order of the paths. */
  readonly values: Value[];
  readonly #cursor: DataCursor;
  readonly #section: Buffer;
  readonly #root = newNode<Value>();
  readonly #base: number;
  readonly #encode: (value: MmdbValue) => Value;
  readonly #absent: Value;
  #decoder: ValueDecoder;
  #decoded = 0;

  constructor(
    { data, dataStart }: Pick<MmdbLayout, 'data' | 'dataStart'>,
    paths: readonly FieldPath[],
    { encode, absent }: FieldEncoding<Value>,
  ) {
    this.#section = data;
    this.#base = dataStart;
    this.#encode = encode;
    this.#absent = absent;
    this.#cursor = new DataCursor(data, dataStart);
    this.#decoder = new ValueDecoder(data, dataStart);
    this.values = paths.map(() => absent);
    paths.forEach((path, field) => {
      this.#add(path, field);
    });
  }

  /** Reads the fields of the record at a section offset. Throws MmdbError at the first invalid byte on the way. */
  read(offset: number): void {
    this.values.fill(this.#absent);
    this.#cursor.depth = 0;
    this.#read(offset, this.#root);
  }

  #add(path: FieldPath, field: number): void {
    let node = this.#root;
    node.fields.push(field);
    for (const key of path) {
      let child = node.children.get(key);
      if (!child) node.children.set(key, (child = newNode<Value>()));
      child.fields.push(field);
      node = child;
    }
    node.field = field;
  }

  /** Reads the value at `at` for a node. Returns the offset after the value or its pointer. */
  #read(at: number, node: PathNode<Value>): number {
    const cursor = this.#cursor;
    if (cursor.open(at) !== TYPE.pointer) return this.#readHere(at, node);
    const { end: behind, target } = cursor;
    const { fields, parts } = node;
    const known = parts.get(target);
    if (known) for (let i = 0; i < fields.length; i++) this.values[fields[i]!] = known[i]!;
    else {
      this.#readHere(cursor.follow(at), node);
      if (parts.size === MOST_PARTS) parts.clear();
      parts.set(
        target,
        fields.map((field) => this.values[field]!),
      );
    }
    return behind;
  }

  /** Reads the value that the cursor has opened at `at`. */
  #readHere(at: number, node: PathNode<Value>): number {
    const { type, size, payload } = this.#cursor;
    if (node.field >= 0) return this.#readField(at, node.field);
    if (type === TYPE.map) return this.#readMap(at, { size, payload }, node);
    if (type === TYPE.array) return this.#readArray(at, { size, payload }, node);
    return this.#cursor.end;
  }

  #readField(at: number, field: number): number {
    // The decoder keeps what it decodes, so it is replaced from time to time.
    if (this.#decoded++ === MOST_PARTS) {
      this.#decoder = new ValueDecoder(this.#section, this.#base);
      this.#decoded = 0;
    }
    this.values[field] = this.#encode(this.#decoder.decode(at));
    return this.#decoder.end;
  }

  #readMap(at: number, { size, payload }: Contents, node: PathNode<Value>): number {
    let next = payload;
    this.#cursor.enter(at);
    for (let i = 0; i < size; i++) {
      const child = this.#childAt(next, node);
      next = child ? this.#read(this.#valueAt, child) : this.#skip(this.#valueAt);
    }
    this.#cursor.leave();
    return next;
  }

  #readArray(at: number, { size, payload }: Contents, node: PathNode<Value>): number {
    let next = payload;
    this.#cursor.enter(at);
    for (let i = 0; i < size; i++) {
      this.#cursor.atIndex(i);
      const child = node.children.get(i);
      next = child ? this.#read(next, child) : this.#skip(next);
    }
    this.#cursor.leave();
    return next;
  }

  /** The offset of the value of the key read last. */
  #valueAt = 0;

  /** Returns the child of the key at `at`, if a path goes on there. Sets `#valueAt`. */
  #childAt(at: number, node: PathNode<Value>): PathNode<Value> | undefined {
    const cursor = this.#cursor;
    const isPointer = cursor.open(at) === TYPE.pointer;
    this.#valueAt = cursor.end;
    if (!isPointer) return this.#childNamed(at, node);
    const { target } = cursor;
    if (node.byKeyOffset.has(target)) return node.byKeyOffset.get(target);
    const child = this.#childNamed(cursor.follow(at), node);
    if (node.byKeyOffset.size === MOST_PARTS) node.byKeyOffset.clear();
    node.byKeyOffset.set(target, child);
    return child;
  }

  /** Returns the child of the key that the cursor has opened. */
  #childNamed(at: number, node: PathNode<Value>): PathNode<Value> | undefined {
    const cursor = this.#cursor;
    const { type, payload, end } = cursor;
    if (type !== TYPE.string) throw cursor.error('key-type', at, 'map key that is not a string');
    cursor.atKey(at);
    return node.children.get(this.#section.toString('utf8', payload, end));
  }

  /** Returns the offset after the value at `at`. */
  #skip(at: number): number {
    const cursor = this.#cursor;
    const type = cursor.open(at);
    if (type !== TYPE.map && type !== TYPE.array) return cursor.end;
    const values = type === TYPE.map ? cursor.size * 2 : cursor.size;
    let next = cursor.payload;
    cursor.enter(at);
    for (let i = 0; i < values; i++) next = this.#skip(next);
    cursor.leave();
    return next;
  }
}

interface Contents {
  readonly size: number;
  readonly payload: number;
}

function newNode<Value>(): PathNode<Value> {
  return { field: -1, children: new Map(), fields: [], byKeyOffset: new Map(), parts: new Map() };
}
