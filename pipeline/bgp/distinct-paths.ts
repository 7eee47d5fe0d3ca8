import { Uint32Column } from '../table/slots.js';

/** AS paths in columns: path p is `asns[offsets[p]]` up to (not including) `asns[offsets[p + 1]]`. */
export interface AsPaths {
  readonly offsets: Uint32Array;
  readonly asns: Uint32Array;
}

/** Distinct paths, numbered in the order they are added. */
export class DistinctPaths {
  readonly #asns = new Uint32Column();
  readonly #offsets = new Uint32Column();
  readonly #hashes = new Uint32Column();
  /** Path number plus 1; 0 is free. The size is a power of two. */
  #slots = new Uint32Array(2048);

  constructor() {
    this.#offsets.length = 1;
  }

  get size(): number {
    return this.#hashes.length;
  }

  /** The paths so far, as views that are valid until the next new path. */
  get paths(): AsPaths {
    return {
      offsets: this.#offsets.values.subarray(0, this.#offsets.length),
      asns: this.#asns.values.subarray(0, this.#asns.length),
    };
  }

  /** Returns the number of the path in the first `length` integers of `path`; adds it if it is new. */
  add(path: Uint32Array, length: number): number {
    const hash = hashOf(path, length);
    const mask = this.#slots.length - 1;
    let at = hash & mask;
    for (let held = this.#slots[at]!; held !== 0; held = this.#slots[at]!) {
      if (this.#hashes.values[held - 1] === hash && this.#equals(held - 1, path, length)) return held - 1;
      at = (at + 1) & mask;
    }
    this.#slots[at] = this.size + 1;
    this.#append(path, length, hash);
    if (this.size * 2 > this.#slots.length) this.#grow();
    return this.size - 1;
  }

  #append(path: Uint32Array, length: number, hash: number): void {
    this.#asns.reserve(length);
    for (let i = 0; i < length; i++) this.#asns.values[this.#asns.length++] = path[i]!;
    this.#offsets.reserve(1);
    this.#offsets.values[this.#offsets.length++] = this.#asns.length;
    this.#hashes.reserve(1);
    this.#hashes.values[this.#hashes.length++] = hash;
  }

  #equals(number: number, path: Uint32Array, length: number): boolean {
    const from = this.#offsets.values[number]!;
    if (this.#offsets.values[number + 1]! - from !== length) return false;
    for (let i = 0; i < length; i++) if (this.#asns.values[from + i] !== path[i]) return false;
    return true;
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let i = 0; i < this.size; i++) {
      let at = this.#hashes.values[i]! & mask;
      while (this.#slots[at] !== 0) at = (at + 1) & mask;
      this.#slots[at] = i + 1;
    }
  }
}

function hashOf(path: Uint32Array, length: number): number {
  let h = length;
  for (let i = 0; i < length; i++) {
    h = Math.imul(h ^ Math.imul(path[i]!, 0xcc9e2d51), 0x1b873593);
    h = (h ^ (h >>> 15)) | 0;
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}
