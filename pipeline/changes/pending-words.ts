import type { WordRuns } from '../mmdb/word-runs.js';
import { Uint32Column } from '../table/slots.js';

/** The words of parts under construction, the innermost part last; see ValuePool for their layout. */
export class PendingWords {
  readonly #column = new Uint32Column();

  get length(): number {
    return this.#column.length;
  }

  clear(): void {
    this.#column.length = 0;
  }

  push(word: number): void {
    const column = this.#column;
    if (column.length === column.values.length) column.reserve(1);
    column.values[column.length++] = word;
  }

  /** Sets a word that was pushed before. */
  set(at: number, word: number): void {
    this.#column.values[at] = word;
  }

  /** Interns the words from `from` on, and removes them. Returns the number of the run. */
  finish(runs: WordRuns, from: number): number {
    const run = runs.intern(this.#column.values, from, this.#column.length);
    this.#column.length = from;
    return run;
  }
}

/** Pushes the atoms of the scalar with the encoding `bytes[from..to)`: `[length in bytes][bytes, padded with zeros]`. */
export function pushScalar(pending: PendingWords, bytes: Uint8Array, from: number, to: number): void {
  pending.push(to - from);
  for (let at = from; at < to; at += 4) {
    let word = bytes[at]! << 24;
    if (at + 1 < to) word |= bytes[at + 1]! << 16;
    if (at + 2 < to) word |= bytes[at + 2]! << 8;
    if (at + 3 < to) word |= bytes[at + 3]!;
    pending.push(word);
  }
}
