import { DataCursor } from './data-cursor.js';
import { ValueDecoder, type MmdbValue } from './decode.js';
import { TYPE_NUMBERS as TYPE } from './encode.js';

/** The keys that are wanted of a map, with those wanted of the maps in them. `true`: the whole value. */
export interface WantedKeys {
  readonly [key: string]: WantedKeys | true;
}

/** A map with the wanted keys only. Other maps in its values are complete. */
export interface WantedFields {
  [key: string]: MmdbValue | WantedFields | readonly (MmdbValue | WantedFields)[];
}
type Wanted = WantedFields[string];

/** Values of pointers that are kept for each wanted key; then all are dropped. */
const KEPT_VALUES = 1 << 16;

/**
 * Decodes the wanted fields of records, and passes over the others. Keeps the targets of pointers, so that a value which
 * many records share is decoded once. Throws MmdbError like `ValueDecoder` for what it reads.
 */
export class FieldDecoder {
  readonly #cursor: DataCursor;
  readonly #section: Buffer;
  readonly #base: number;
  readonly #root: MapShape;
  #whole: ValueDecoder;
  #decodedWhole = 0;
  #next = 0;

  constructor(section: Buffer, base: number, wanted: WantedKeys) {
    this.#cursor = new DataCursor(section, base);
    this.#section = section;
    this.#base = base;
    this.#root = shapeOf(wanted);
    this.#whole = new ValueDecoder(section, base);
  }

  /** Returns the wanted fields of the record at a section offset; of a value that is no map, none. */
  decode(at: number): WantedFields {
    const cursor = this.#cursor;
    cursor.depth = 0;
    const type = cursor.open(at);
    const target = type === TYPE.pointer ? cursor.follow(at) : at;
    return cursor.type === TYPE.map ? this.#readMap(target, this.#root) : {};
  }

  /** Reads a value or the target of a pointer. Sets `#next` to the offset after the value or the pointer. */
  #read(at: number, shape: KeyShape): Wanted {
    const cursor = this.#cursor;
    if (cursor.open(at) !== TYPE.pointer) return this.#readHere(at, shape);
    const { end: behind, target } = cursor;
    const held = shape.kept.get(target);
    if (held !== undefined) {
      this.#next = behind;
      return held;
    }
    cursor.follow(at);
    const value = this.#readHere(target, shape);
    if (shape.kept.size >= KEPT_VALUES) shape.kept.clear();
    shape.kept.set(target, value);
    this.#next = behind;
    return value;
  }

  /** Reads the value that the cursor has opened at `at`. */
  #readHere(at: number, shape: KeyShape): Wanted {
    const { type } = this.#cursor;
    if (shape.map !== undefined && type === TYPE.map) return this.#readMap(at, shape.map);
    if (shape.map !== undefined && type === TYPE.array) return this.#readArray(at, shape);
    // The decoder of whole values keeps all maps that it has decoded.
    if (++this.#decodedWhole % KEPT_VALUES === 0) this.#whole = new ValueDecoder(this.#section, this.#base);
    const value = this.#whole.decode(at);
    this.#next = this.#whole.end;
    return value;
  }

  /** Reads the map that the cursor has opened at `at`. */
  #readMap(at: number, { keys }: MapShape): WantedFields {
    const cursor = this.#cursor;
    const map: WantedFields = {};
    let next = cursor.payload;
    const count = cursor.size;
    cursor.enter(at);
    for (let i = 0; i < count; i++) {
      const isPointer = cursor.open(next) === TYPE.pointer;
      const valueAt = cursor.end;
      cursor.atKey(isPointer ? cursor.follow(next) : next);
      const key = findKey(keys, this.#section, cursor);
      if (key === undefined) this.#skip(valueAt);
      else map[key.name] = this.#read(valueAt, key);
      next = this.#next;
    }
    cursor.leave();
    this.#next = next;
    return map;
  }

  #readArray(at: number, shape: KeyShape): readonly (MmdbValue | WantedFields)[] {
    const cursor = this.#cursor;
    const array: (MmdbValue | WantedFields)[] = [];
    const count = cursor.size;
    this.#next = cursor.payload;
    cursor.enter(at);
    for (let i = 0; i < count; i++) {
      cursor.atIndex(i);
      array.push(this.#read(this.#next, shape));
    }
    cursor.leave();
    return array;
  }

  /** Sets `#next` to the offset after the value at `at`, without reading the targets of pointers. */
  #skip(at: number): void {
    const cursor = this.#cursor;
    const type = cursor.open(at);
    this.#next = cursor.end;
    if (type !== TYPE.map && type !== TYPE.array) return;
    const values = type === TYPE.map ? 2 * cursor.size : cursor.size;
    cursor.enter(at);
    for (let i = 0; i < values; i++) this.#skip(this.#next);
    cursor.leave();
  }
}

/** The wanted keys of a map. */
interface MapShape {
  readonly keys: readonly KeyShape[];
}

/** A wanted key. */
interface KeyShape {
  readonly name: string;
  readonly bytes: Buffer;
  /** The keys that are wanted of the map, or of the maps of a list; undefined for the whole value. */
  readonly map: MapShape | undefined;
  /** Values by the section offset to which a pointer refers. */
  readonly kept: Map<number, Wanted>;
}

function shapeOf(wanted: WantedKeys): MapShape {
  const keys = Object.entries(wanted).map(([name, inner]) => ({
    name,
    bytes: Buffer.from(name, 'utf8'),
    map: inner === true ? undefined : shapeOf(inner),
    kept: new Map<number, Wanted>(),
  }));
  return { keys };
}

/** Returns the wanted key whose text the cursor has opened. */
function findKey(keys: readonly KeyShape[], section: Buffer, cursor: DataCursor): KeyShape | undefined {
  if (cursor.type !== TYPE.string) return undefined;
  const { payload, size } = cursor;
  for (const key of keys) {
    const { bytes } = key;
    if (bytes.length !== size) continue;
    let i = 0;
    while (i < size && section[payload + i] === bytes[i]) i++;
    if (i === size) return key;
  }
  return undefined;
}
