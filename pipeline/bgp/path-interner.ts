import { AS_SEQUENCE, AsPath } from './as-path.js';
import type { PathTable } from './path-table.js';

/**
 * Numbers distinct paths from 0 in the order they are added: open addressing over integers, compared AS by AS. Two
 * paths are distinct if their AS numbers or flags differ (see path-table.ts).
 *
 * Paths are numbered per MRT record. At full scale the table is a hundred times larger than the processor's cache and
 * every path causes two cache misses. Looking all paths of a record up together lets these misses overlap.
 */
export class PathInterner {
  readonly #path = new AsPath();
  readonly #scratch = new DataView(new ArrayBuffer(4 * this.#path.asns.length));
  /** Consecutive paths: number, flags and count in one word, AS numbers. */
  #words: Int32Array;
  #end = FIRST_PLACE;
  #count = 0;
  /** Hash slots with the start of a path in `#words`, or FREE. The size is a power of two. */
  #slots: Int32Array;

  /**
   * The bytes of the paths that wait for a number, and for each path its place if known, else its start, head and hash.
   */
  #bytes: DataView = this.#scratch;
  #waiting = 0;
  readonly #places = new Int32Array(MAX_WAITING);
  readonly #starts = new Int32Array(MAX_WAITING);
  readonly #heads = new Int32Array(MAX_WAITING);
  readonly #hashes = new Int32Array(MAX_WAITING);
  /** The result of looking ahead. Unused, but storing it keeps the compiler from removing the loads. */
  #seen = 0;

  /** Allocates room for `capacity` paths. */
  constructor(capacity = 1024) {
    this.#words = new Int32Array(capacity * USUAL_WORDS);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * capacity)));
  }

  /** The number of distinct paths. */
  get size(): number {
    return this.#count;
  }

  /**
   * Adds the value of an AS_PATH (4-byte AS numbers) to the waiting paths. The bytes must not change until `settle`.
   * `hint` is the place of a path that is likely equal: in half of all cases, the same peer's path for the previous
   * prefix. Returns false if the path is malformed.
   */
  add(bytes: DataView, start: number, end: number, hint: number): boolean {
    const count = end - start > 2 ? bytes.getUint8(start + 1) : 0;
    const waiting = this.#waiting;
    // Nearly all paths are a single sequence, which needs no conversion.
    if (count > 0 && start + 2 + 4 * count === end && bytes.getUint8(start) === AS_SEQUENCE) {
      const isHint = this.#isAt(hint, count, bytes, start + 2);
      this.#places[waiting] = isHint ? hint : FREE;
      if (!isHint) {
        this.#bytes = bytes;
        this.#starts[waiting] = start + 2;
        this.#heads[waiting] = count;
        this.#hashes[waiting] = hashOf(bytes, start + 2, count, count);
      }
    } else {
      if (!this.#path.read(bytes, start, end)) return false;
      this.#places[waiting] = this.#placeOfRead();
    }
    this.#waiting++;
    return true;
  }

  /** Writes the numbers of the waiting paths into a column from `at`. */
  settle(numbers: Uint32Array, at: number): void {
    this.#lookAhead();
    for (let i = 0; i < this.#waiting; i++) {
      let place = this.#places[i]!;
      if (place === FREE) {
        place = this.#find(this.#bytes, this.#starts[i]!, this.#heads[i]!, this.#hashes[i]!);
        this.#places[i] = place;
      }
      numbers[at + i] = this.#words[place]!;
    }
    this.#waiting = 0;
  }

  /** Discards the waiting paths. */
  drop(): void {
    this.#waiting = 0;
  }

  /** Returns the place of a path of the last `settle` by its position; to be passed as `hint`. */
  placeOf(position: number): number {
    return this.#places[position]!;
  }

  /** Returns the paths with these numbers, in this order. */
  table(numbers: Uint32Array<ArrayBuffer>): PathTable {
    const words = this.#words;
    const begins = this.#begins();
    const offsets = new Uint32Array(numbers.length + 1);
    const flags = new Uint8Array(numbers.length);
    const asns = new Uint32Array(this.#end);
    for (let i = 0, to = 0; i < numbers.length; i++) {
      const place = begins[numbers[i]!]!;
      const head = words[place + 1]!;
      flags[i] = head >>> FLAGS_SHIFT;
      const end = place + HEAD_WORDS + (head & COUNT_MASK);
      for (let word = place + HEAD_WORDS; word < end; word++) asns[to++] = words[word]!;
      offsets[i + 1] = to;
    }
    return { offsets, asns: asns.slice(0, offsets[numbers.length]), flags };
  }

  /** Loads what `settle` will need into the cache: first all slots, then the paths in them. */
  #lookAhead(): void {
    const slots = this.#slots;
    const words = this.#words;
    const mask = slots.length - 1;
    let seen = 0;
    for (let i = 0; i < this.#waiting; i++) {
      if (this.#places[i] === FREE) seen ^= slots[this.#hashes[i]! & mask]!;
    }
    for (let i = 0; i < this.#waiting; i++) {
      if (this.#places[i] === FREE) seen ^= words[slots[this.#hashes[i]! & mask]!]!;
    }
    this.#seen ^= seen;
  }

  /** Returns the place of the path in `#path`. */
  #placeOfRead(): number {
    const { asns, length, flags } = this.#path;
    for (let i = 0; i < length; i++) this.#scratch.setInt32(4 * i, asns[i]!);
    const head = (flags << FLAGS_SHIFT) | length;
    return this.#find(this.#scratch, 0, head, hashOf(this.#scratch, 0, length, head));
  }

  /** Returns the place of the path with the AS numbers at `at`; adds it if it is new. */
  #find(bytes: DataView, at: number, head: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let place = slots[slot]!; place !== FREE; place = slots[slot]!) {
      if (this.#isAt(place, head, bytes, at)) return place;
      slot = (slot + 1) & mask;
    }
    return this.#insert(bytes, at, head, hash);
  }

  /** Whether the path at a place has this head and these AS numbers. */
  #isAt(place: number, head: number, bytes: DataView, at: number): boolean {
    const words = this.#words;
    if (words[place + 1] !== head) return false;
    let word = place + HEAD_WORDS;
    for (const end = word + (head & COUNT_MASK); word < end; word++, at += 4) {
      if (words[word] !== bytes.getInt32(at)) return false;
    }
    return true;
  }

  #insert(bytes: DataView, at: number, head: number, hash: number): number {
    const count = head & COUNT_MASK;
    if (this.#count * 2 >= this.#slots.length) this.#rehash();
    this.#reserve(count + HEAD_WORDS);
    const words = this.#words;
    const place = this.#end;
    words[place] = this.#count++;
    words[place + 1] = head;
    for (let i = 0; i < count; i++) words[place + HEAD_WORDS + i] = bytes.getInt32(at + 4 * i);
    this.#end = place + HEAD_WORDS + count;
    put(this.#slots, hash, place);
    return place;
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
      let hash = head;
      const next = place + HEAD_WORDS + (head & COUNT_MASK);
      for (let word = place + HEAD_WORDS; word < next; word++) hash = mixed(hash, words[word]!);
      put(grown, finished(hash), place);
      place = next;
    }
    this.#slots = grown;
  }

  /** Returns the start of each path in `#words`, by path number. */
  #begins(): Uint32Array {
    const begins = new Uint32Array(this.#count);
    for (let number = 0, at = FIRST_PLACE; number < this.#count; number++) {
      begins[number] = at;
      at += HEAD_WORDS + (this.#words[at + 1]! & COUNT_MASK);
    }
    return begins;
  }
}

/** The entry count of a record has 16 bits. */
const MAX_WAITING = 0x1_0000;
/** The typical size of a path with its head. */
const USUAL_WORDS = 7;
const HEAD_WORDS = 2;
const FREE = 0;
/** Place 0 is never a path, because it marks free slots. */
const FIRST_PLACE = HEAD_WORDS;
const FLAGS_SHIFT = 16;
const COUNT_MASK = 0xffff;

function put(slots: Int32Array, hash: number, place: number): void {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== FREE) slot = (slot + 1) & mask;
  slots[slot] = place;
}

/** Returns the hash of `count` AS numbers from `at`, and of the head of the path. */
function hashOf(bytes: DataView, at: number, count: number, head: number): number {
  let hash = head;
  for (const end = at + 4 * count; at < end; at += 4) hash = mixed(hash, bytes.getInt32(at));
  return finished(hash);
}

function mixed(hash: number, asn: number): number {
  const product = Math.imul(hash ^ asn, 0x9e37_79b1);
  return product ^ (product >>> 15);
}

function finished(hash: number): number {
  const product = Math.imul(hash, 0x85eb_ca6b);
  return product ^ (product >>> 13);
}
