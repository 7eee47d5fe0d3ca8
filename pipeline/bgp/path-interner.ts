import { AS_SEQUENCE, AsPath } from './as-path.js';
import type { PathTable } from './path-table.js';

/** What `intern` answers for a value that is no AS_PATH. */
export const MALFORMED = 0xffff_ffff;

/**
 * Gives every distinct path a number, from 0 on in the order they are met: open addressing over integers, compared
 * AS by AS. Distinct is what differs in a path table: AS numbers, or flags.
 */
export class PathInterner {
  /** Where the path stands that was asked for last; for `hint`. */
  place = 0;
  readonly #path = new AsPath();
  /** Paths one after the other: number, flags and count in one, AS numbers. */
  #words = new Int32Array(1 << 16);
  #end = FIRST_PLACE;
  #count = 0;
  /** Where in `#words` a path begins that its hash sends there or before. The size is a power of two. */
  #slots = new Int32Array(1 << 12);

  /** Distinct paths so far. */
  get size(): number {
    return this.#count;
  }

  /**
   * The number of the path that is the value of an AS_PATH (AS numbers of 4 bytes), or MALFORMED. `hint` is the place
   * of a path that it may well equal: half of the time it is what the same peer had for the prefix before.
   */
  intern(bytes: DataView, start: number, end: number, hint: number): number {
    const { asns } = this.#path;
    const count = end - start > 2 ? bytes.getUint8(start + 1) : 0;
    // Nearly all paths are one sequence, which is quicker read at once.
    if (count > 0 && start + 2 + 4 * count === end && bytes.getUint8(start) === AS_SEQUENCE) {
      if (this.#isAt(hint, bytes, start + 2, count)) {
        this.place = hint;
        return this.#words[hint]!;
      }
      for (let i = 0, at = start + 2; i < count; i++, at += 4) asns[i] = bytes.getInt32(at);
      return this.#find(count, 0);
    }
    const path = this.#path;
    return path.read(bytes, start, end) ? this.#find(path.length, path.flags) : MALFORMED;
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

  /** Whether the path at a place is a sequence of these AS numbers and nothing else. */
  #isAt(place: number, bytes: DataView, at: number, count: number): boolean {
    const words = this.#words;
    if (words[place + 1] !== count) return false;
    let word = place + HEAD_WORDS;
    for (const end = word + count; word < end; word++, at += 4) {
      if (words[word] !== bytes.getInt32(at)) return false;
    }
    return true;
  }

  /** The number of the path that stands in `#path`. */
  #find(count: number, flags: number): number {
    const { asns } = this.#path;
    const head = (flags << FLAGS_SHIFT) | count;
    const hash = hashOf(asns, 0, count, head);
    const slots = this.#slots;
    const words = this.#words;
    const mask = slots.length - 1;
    let at = hash & mask;
    for (let place = slots[at]!; place !== FREE; place = slots[at]!) {
      if (words[place + 1] === head) {
        let i = 0;
        for (let word = place + HEAD_WORDS; i < count && words[word] === asns[i]; word++) i++;
        if (i === count) {
          this.place = place;
          return words[place]!;
        }
      }
      at = (at + 1) & mask;
    }
    return this.#add(count, head, hash);
  }

  #add(count: number, head: number, hash: number): number {
    if (this.#count * 2 >= this.#slots.length) this.#rehash();
    this.#reserve(count + HEAD_WORDS);
    const words = this.#words;
    const place = this.#end;
    words[place] = this.#count;
    words[place + 1] = head;
    const { asns } = this.#path;
    for (let i = 0; i < count; i++) words[place + HEAD_WORDS + i] = asns[i]!;
    this.#end = place + HEAD_WORDS + count;
    this.place = place;
    put(this.#slots, hash, place);
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
    const words = this.#words;
    for (let place = FIRST_PLACE; place < this.#end;) {
      const head = words[place + 1]!;
      const next = place + HEAD_WORDS + (head & COUNT_MASK);
      put(grown, hashOf(words, place + HEAD_WORDS, next, head), place);
      place = next;
    }
    this.#slots = grown;
  }

  /** Where each path begins in the words. */
  #begins(): Uint32Array {
    const begins = new Uint32Array(this.#count);
    for (let number = 0, at = FIRST_PLACE; number < this.#count; number++) {
      begins[number] = at;
      at += HEAD_WORDS + (this.#words[at + 1]! & COUNT_MASK);
    }
    return begins;
  }
}

const HEAD_WORDS = 2;
const FREE = 0;
/** Place 0 holds no path: it marks free slots. */
const FIRST_PLACE = HEAD_WORDS;
const FLAGS_SHIFT = 16;
const COUNT_MASK = 0xffff;

function put(slots: Int32Array, hash: number, place: number): void {
  const mask = slots.length - 1;
  let at = hash & mask;
  while (slots[at] !== FREE) at = (at + 1) & mask;
  slots[at] = place;
}

function hashOf(words: Int32Array, from: number, to: number, seed: number): number {
  let h = seed;
  for (let at = from; at < to; at++) {
    h = Math.imul(h ^ words[at]!, 0x9e37_79b1);
    h ^= h >>> 15;
  }
  h = Math.imul(h, 0x85eb_ca6b);
  return h ^ (h >>> 13);
}
