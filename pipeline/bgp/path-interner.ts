import { AS_SEQUENCE, AsPath } from './as-path.js';
import type { PathTable } from './path-table.js';
import { i32 } from './wire.js';

/** What `intern` answers for a value that is no AS_PATH. */
export const MALFORMED = 0xffff_ffff;

/**
 * Gives every distinct path a number, from 0 on in the order they are met: open addressing over integers, compared
 * AS by AS. Distinct is what differs in a path table: AS numbers, or flags.
 */
export class PathInterner {
  readonly #path = new AsPath();
  /** Paths one after the other: number, flags and count in one, AS numbers. */
  #words = new Int32Array(1 << 16);
  #end = 0;
  #count = 0;
  /** Pairs: hash, and where in `#words` the path begins, plus 1; 0 is free. The number of pairs is a power of two. */
  #slots = new Int32Array(1 << 13);

  /** Distinct paths so far. */
  get size(): number {
    return this.#count;
  }

  /** The number of the path that is the value of an AS_PATH (AS numbers of 4 bytes), or MALFORMED. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const path = this.#path;
    const { asns } = path;
    const count = bytes[start + 1]!;
    // Nearly all paths are one sequence, which is quicker read at once.
    if (count > 0 && bytes[start] === AS_SEQUENCE && start + 2 + 4 * count === end) {
      for (let i = 0, at = start + 2; i < count; i++, at += 4) asns[i] = i32(bytes, at);
      return this.#find(asns, count, 0);
    }
    return path.read(bytes, start, end) ? this.#find(asns, path.length, path.flags) : MALFORMED;
  }

  /**
   * The paths of these numbers, in this order, in columns.
   */
  table(numbers: Uint32Array<ArrayBuffer>): PathTable {
    const words = this.#words;
    const begins = this.#begins();
    const offsets = new Uint32Array(numbers.length + 1);
    const flags = new Uint8Array(numbers.length);
    for (let i = 0; i < numbers.length; i++) {
      const head = words[begins[numbers[i]!]! + 1]!;
      offsets[i + 1] = offsets[i]! + (head & COUNT_MASK);
      flags[i] = head >>> FLAGS_SHIFT;
    }
    const asns = new Uint32Array(offsets[numbers.length]!);
    for (let i = 0; i < numbers.length; i++) {
      const from = begins[numbers[i]!]! + HEAD_WORDS;
      for (let to = offsets[i]!, at = from; to < offsets[i + 1]!; to++, at++) asns[to] = words[at]!;
    }
    return { offsets, asns, flags };
  }

  #find(asns: Int32Array, count: number, flags: number): number {
    const head = (flags << FLAGS_SHIFT) | count;
    const hash = hashOf(asns, count, head);
    const slots = this.#slots;
    const words = this.#words;
    const mask = slots.length - 2;
    let at = (hash << 1) & mask;
    for (let held = slots[at + 1]!; held !== 0; held = slots[at + 1]!) {
      if (slots[at] === hash && words[held] === head) {
        let i = 0;
        for (let word = held + 1; i < count && words[word] === asns[i]; word++) i++;
        if (i === count) return words[held - 1]!;
      }
      at = (at + 2) & mask;
    }
    return this.#add(asns, count, head, hash);
  }

  #add(asns: Int32Array, count: number, head: number, hash: number): number {
    if (this.#count * 4 >= this.#slots.length) this.#rehash();
    const begin = this.#end;
    this.#reserve(count + HEAD_WORDS);
    this.#words[begin] = this.#count;
    this.#words[begin + 1] = head;
    for (let i = 0; i < count; i++) this.#words[begin + HEAD_WORDS + i] = asns[i]!;
    this.#end += count + HEAD_WORDS;
    place(this.#slots, hash, begin + 1);
    return this.#count++;
  }

  #reserve(extra: number): void {
    if (this.#end + extra <= this.#words.length) return;
    const grown = new Int32Array(Math.max(this.#end + extra, Math.ceil(this.#words.length * 1.5)));
    grown.set(this.#words.subarray(0, this.#end));
    this.#words = grown;
  }

  #rehash(): void {
    const grown = new Int32Array(this.#slots.length * 2);
    for (let at = 0; at < this.#slots.length; at += 2) {
      const held = this.#slots[at + 1]!;
      if (held !== 0) place(grown, this.#slots[at]!, held);
    }
    this.#slots = grown;
  }

  /** Where each path begins in the words. */
  #begins(): Uint32Array {
    const begins = new Uint32Array(this.#count);
    for (let number = 0, at = 0; number < this.#count; number++) {
      begins[number] = at;
      at += HEAD_WORDS + (this.#words[at + 1]! & COUNT_MASK);
    }
    return begins;
  }
}

const HEAD_WORDS = 2;
const FLAGS_SHIFT = 16;
const COUNT_MASK = 0xffff;

function place(slots: Int32Array, hash: number, held: number): void {
  const mask = slots.length - 2;
  let at = (hash << 1) & mask;
  while (slots[at + 1] !== 0) at = (at + 2) & mask;
  slots[at] = hash;
  slots[at + 1] = held;
}

/** Murmur-style mixing. */
function hashOf(asns: Int32Array, count: number, seed: number): number {
  let h = seed;
  for (let i = 0; i < count; i++) {
    h = Math.imul(h ^ Math.imul(asns[i]!, 0xcc9e2d51), 0x1b873593);
    h = (h ^ (h >>> 15)) | 0;
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return h ^ (h >>> 13);
}
