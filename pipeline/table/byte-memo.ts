/** Numbers distinct byte strings, from 0 in the order in which they are first seen. A hash table of integer columns. */
export class ByteMemo {
  /** The strings one after the other. */
  #bytes: Buffer;
  #view: DataView;
  /** The start of each string in the bytes, then the end of the last one. */
  #starts = new Uint32Array(CAPACITY + 1);
  #answers = new Int32Array(CAPACITY);
  /** Two integers per entry: the hash of a string, and its number plus 1 (0 is free). The length is a power of two. */
  #table = new Int32Array(4 * CAPACITY);
  #count = 0;

  constructor() {
    this.#bytes = Buffer.alloc(CAPACITY * 32);
    this.#view = viewOf(this.#bytes);
  }

  /** The number of strings so far. */
  get size(): number {
    return this.#count;
  }

  /** The length of all strings together. */
  get lengthBytes(): number {
    return this.#starts[this.#count]!;
  }

  /** Forgets all strings. */
  clear(): void {
    this.#table.fill(0);
    this.#count = 0;
  }

  /** Returns the answer of string `number`: the last one that was set, or the one it was added with. */
  answerOf(number: number): number {
    return this.#answers[number]!;
  }

  setAnswer(number: number, answer: number): void {
    this.#answers[number] = answer;
  }

  /** Returns the number of the bytes from `from` to `to` (exclusive); adds them with `answer` on first sight. */
  number(block: DataView, from: number, to: number, answer = 0): number {
    const hash = hashOf(block, from, to);
    const table = this.#table;
    const mask = table.length - 1;
    let at = (hash << 1) & mask;
    for (let held = table[at + 1]!; held !== 0; held = table[at + 1]!) {
      if (table[at] === hash && this.#equals(held - 1, block, from, to)) return held - 1;
      at = (at + 2) & mask;
    }
    table[at] = hash;
    table[at + 1] = this.#count + 1;
    return this.#add(block, from, to, answer);
  }

  #equals(number: number, block: DataView, from: number, to: number): boolean {
    const view = this.#view;
    let held = this.#starts[number]!;
    if (this.#starts[number + 1]! - held !== to - from) return false;
    for (; from + 4 <= to; from += 4, held += 4) {
      if (view.getInt32(held, true) !== block.getInt32(from, true)) return false;
    }
    for (; from < to; from++, held++) if (view.getUint8(held) !== block.getUint8(from)) return false;
    return true;
  }

  #add(block: DataView, from: number, to: number, answer: number): number {
    const number = this.#count++;
    const start = this.#starts[number]!;
    const end = start + to - from;
    if (end > this.#bytes.length) this.#growBytes(end);
    this.#bytes.set(new Uint8Array(block.buffer, block.byteOffset + from, to - from), start);
    this.#starts[number + 1] = end;
    this.#answers[number] = answer;
    if (this.#count === this.#answers.length) this.#grow();
    return number;
  }

  #growBytes(needed: number): void {
    const bytes = Buffer.alloc(Math.max(needed, 2 * this.#bytes.length));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }

  /** Doubles the number of strings that fit. */
  #grow(): void {
    const capacity = 2 * this.#answers.length;
    const [starts, answers] = [new Uint32Array(capacity + 1), new Int32Array(capacity)];
    starts.set(this.#starts);
    answers.set(this.#answers);
    [this.#starts, this.#answers] = [starts, answers];
    const held = this.#table;
    const table = new Int32Array(4 * capacity);
    const mask = table.length - 1;
    for (let from = 0; from < held.length; from += 2) {
      if (held[from + 1] === 0) continue;
      let at = (held[from]! << 1) & mask;
      while (table[at + 1] !== 0) at = (at + 2) & mask;
      table[at] = held[from]!;
      table[at + 1] = held[from + 1]!;
    }
    this.#table = table;
  }
}

/** Returns a view of the bytes of a buffer. */
export function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

const CAPACITY = 4096;

/** Hashes bytes, four at a time, with the mixing steps of MurmurHash. */
function hashOf(block: DataView, from: number, to: number): number {
  let h = to - from;
  for (; from + 4 <= to; from += 4) {
    h = Math.imul(h ^ Math.imul(block.getInt32(from, true), 0xcc9e2d51), 0x1b873593);
    h = (h ^ (h >>> 15)) | 0;
  }
  for (; from < to; from++) h = Math.imul(h ^ block.getUint8(from), 0x1b873593);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return h ^ (h >>> 13);
}
