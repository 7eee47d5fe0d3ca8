import { Uint32Column } from '../table/slots.js';

/** The result of `offsetOf` for a run that has not been written. No file is long enough for this offset. */
export const UNWRITTEN = 0xffff_ffff;

/**
 * Distinct runs of 32-bit words, and where in the file their values were first written. The number of a run is the
 * position of its words. The hash table uses open addressing over integer columns: millions of runs need no objects,
 * cause no garbage collection, and exceed no limit of Map. The header of a run is next to its words, because memory
 * access dominates the time:
 *
 *     words: [offset in the file][length in bytes][length in words][words] …    slots: [hash][number, 0 is free] …
 */
export class WordRuns {
  readonly #words = new Uint32Column(1 << 14);
  #bytes = bytesOf(this.#words);
  /** Pairs of integers. The number of pairs is a power of two. */
  #slots = new Uint32Array(1 << 13);
  #count = 0;

  /** The number of distinct runs. */
  get count(): number {
    return this.#count;
  }

  /** The words of run r begin at r. Valid until the next `intern`. */
  get words(): Uint32Array {
    return this.#words.values;
  }

  /** `words` as bytes, in the byte order of this machine. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Returns the number of the run `source[from..to)`; adds it on first sight. */
  intern(source: Uint32Array, from: number, to: number): number {
    const hash = hashOf(source, from, to);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = (hash << 1) & mask;
    for (let held = slots[at + 1]!; held !== 0; held = slots[at + 1]!) {
      if (slots[at] === hash && this.#equals(held, source, from, to)) return held;
      at = (at + 2) & mask;
    }
    const run = this.#add(source, from, to);
    slots[at] = hash;
    slots[at + 1] = run;
    if (4 * ++this.#count > slots.length) this.#grow();
    return run;
  }

  /** Returns the file offset of the value of a run, or UNWRITTEN. */
  offsetOf(run: number): number {
    return this.#words.values[run - 3]!;
  }

  /** Returns the length in bytes of the written value. */
  sizeOf(run: number): number {
    return this.#words.values[run - 2]!;
  }

  /** Records that the value of a run was written. Only the first offset is kept. */
  settle(run: number, offset: number, end: number): void {
    const words = this.#words.values;
    if (words[run - 3] !== UNWRITTEN) return;
    words[run - 3] = offset;
    words[run - 2] = end - offset;
  }

  #equals(run: number, source: Uint32Array, from: number, to: number): boolean {
    const words = this.#words.values;
    if (words[run - 1] !== to - from) return false;
    for (let i = from, at = run; i < to; i++, at++) if (words[at] !== source[i]) return false;
    return true;
  }

  #add(source: Uint32Array, from: number, to: number): number {
    const column = this.#words;
    const needed = HEADER_WORDS + to - from;
    if (column.length + needed > column.values.length) {
      // Doubled: each new buffer may trigger a garbage collection, which is slow with many records.
      column.reserve(column.length + needed);
      this.#bytes = bytesOf(column);
    }
    const words = column.values;
    const run = column.length + HEADER_WORDS;
    words[run - 3] = UNWRITTEN;
    words[run - 1] = to - from;
    for (let i = from, at = run; i < to; i++, at++) words[at] = source[i]!;
    column.length += needed;
    return run;
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Uint32Array(2 * old.length);
    const mask = slots.length - 1;
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] === 0) continue;
      let at = (old[i]! << 1) & mask;
      while (slots[at + 1] !== 0) at = (at + 2) & mask;
      slots[at] = old[i]!;
      slots[at + 1] = old[i + 1]!;
    }
    this.#slots = slots;
  }
}

const HEADER_WORDS = 3;

function bytesOf({ values }: Uint32Column): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Returns the MurmurHash3 (x86, 32 bits) of words. */
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
