import { Uint32Column } from '../table/slots.js';

/** What `offsetOf` says of a run that was not written yet: the file may not reach so far. */
export const UNWRITTEN = 0xffff_ffff;

/**
 * Distinct runs of 32-bit words and where in the file their values were written first. A run's number is the
 * position of its words. Open addressing over integer columns: no keys on the heap, so millions of runs are neither
 * garbage to collect nor too many for a Map; and what belongs to a run stands together, because fetching it from
 * memory is what takes the time:
 *
 *     words: [offset in the file][bytes there][words of the run][the run] …    slots: [hash][number, 0 is free] …
 */
export class WordRuns {
  readonly #words = new Uint32Column(1 << 14);
  #bytes = bytesOf(this.#words);
  /** Pairs; how many of them there are is a power of two. */
  #slots = new Uint32Array(1 << 13);
  #count = 0;

  /** Distinct runs. */
  get count(): number {
    return this.#count;
  }

  /** The words of run r begin at r; valid until the next `intern`. */
  get words(): Uint32Array {
    return this.#words.values;
  }

  /** The same as bytes, in the order in which this machine keeps them. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** The number of the run `source[from..to)`. */
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

  /** Where the value of a run stands in the file; UNWRITTEN when nowhere. */
  offsetOf(run: number): number {
    return this.#words.values[run - 3]!;
  }

  /** Bytes the value took there. */
  sizeOf(run: number): number {
    return this.#words.values[run - 2]!;
  }

  /** Notes that the value of a run was written; where it was written first stays its place. */
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
      // Doubled: every new buffer may set off a garbage collection, which takes long where records are many.
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
