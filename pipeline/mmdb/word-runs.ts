import { Uint32Column } from '../table/slots.js';

/**
 * Distinct runs of 32-bit words, numbered in the order in which they were first met. Open addressing over integer
 * columns: no keys on the heap, so millions of runs are neither garbage to collect nor too many for a Map.
 */
export class WordRuns {
  readonly #words = new Uint32Column(4096);
  #bytes = bytesOf(this.#words);
  /** Where each run ends, which is where the next one starts. */
  readonly #ends = new Uint32Column();
  readonly #hashes = new Uint32Column();
  /** A run's number plus 1; 0 is free. The size is a power of two. */
  #slots = new Uint32Array(2048);

  get count(): number {
    return this.#ends.length;
  }

  /** All runs one after the other; valid until the next `intern`. */
  get words(): Uint32Array {
    return this.#words.values;
  }

  /** The same bytes in the order in which this machine keeps them. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  startOf(id: number): number {
    return id === 0 ? 0 : this.#ends.values[id - 1]!;
  }

  /** The number of the run `source[from..to)`. */
  intern(source: Uint32Array, from: number, to: number): number {
    const hash = hashOf(source, from, to);
    const mask = this.#slots.length - 1;
    let at = hash & mask;
    for (let held = this.#slots[at]!; held !== 0; held = this.#slots[at]!) {
      if (this.#hashes.values[held - 1] === hash && this.#equals(held - 1, source, from, to)) return held - 1;
      at = (at + 1) & mask;
    }
    this.#slots[at] = this.#ends.length + 1;
    return this.#add(source, from, to, hash);
  }

  // eslint-disable-next-line max-params -- once per value: no object for it
  #equals(id: number, source: Uint32Array, from: number, to: number): boolean {
    const start = this.startOf(id);
    if (this.#ends.values[id]! - start !== to - from) return false;
    const words = this.#words.values;
    for (let i = from, at = start; i < to; i++, at++) if (words[at] !== source[i]) return false;
    return true;
  }

  // eslint-disable-next-line max-params -- once per distinct value: no object for it
  #add(source: Uint32Array, from: number, to: number, hash: number): number {
    const words = this.#words;
    // Doubled: every new buffer may set off a garbage collection, which takes long where records are many.
    if (words.length + to - from > words.values.length) words.reserve(words.length + to - from);
    if (this.#bytes.length !== 4 * words.values.length) this.#bytes = bytesOf(words);
    for (let i = from; i < to; i++) words.values[words.length++] = source[i]!;
    if (this.#ends.length === this.#ends.values.length) {
      this.#ends.reserve(this.#ends.length);
      this.#hashes.reserve(this.#ends.length);
    }
    const id = this.#ends.length++;
    this.#ends.values[id] = words.length;
    this.#hashes.values[id] = hash;
    this.#hashes.length++;
    if (2 * this.count > this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      let at = this.#hashes.values[id]! & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = id + 1;
    }
    this.#slots = slots;
  }
}

function bytesOf({ values }: Uint32Column): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** MurmurHash3 (x86, 32 bits) of whole words. */
function hashOf(words: Uint32Array, from: number, to: number): number {
  let hash = to - from;
  for (let i = from; i < to; i++) {
    const scrambled = Math.imul(words[i]!, 0xcc9e_2d51);
    hash ^= Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b87_3593);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe654_6b64) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
