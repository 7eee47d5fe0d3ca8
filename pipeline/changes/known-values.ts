import type { WordRuns } from '../mmdb/word-runs.js';

/** The runs of the old file, numbered in the order in which they were interned; runs of new records have no number. */
export class KnownRuns {
  readonly #runs: Uint32Array;
  /** The runs that the delta has defined, and their position. */
  readonly #defined: number[] = [];
  readonly #positions = new Map<number, number>();

  /** Takes all runs that the pool has now. */
  constructor(runs: WordRuns) {
    this.#runs = new Uint32Array(runs.count);
    let run = 3;
    for (let i = 0; i < runs.count; i++) {
      this.#runs[i] = run;
      run += runs.words[run - 1]! + 3;
    }
  }

  /** Returns the number of a run of the old file, or -1. */
  numberOf(run: number): number {
    let [low, high] = [0, this.#runs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#runs[middle]! < run) low = middle + 1;
      else high = middle;
    }
    return this.#runs[low] === run ? low : -1;
  }

  /** Returns the run of the old file with a number; undefined when there is none. */
  runOf(number: number): number | undefined {
    return this.#runs[number];
  }

  /** Returns the position of a run among those that the delta has defined; undefined when it has not. */
  positionOf(run: number): number | undefined {
    return this.#positions.get(run);
  }

  /** Returns the run that the delta has defined at a position. */
  definedAt(position: number): number | undefined {
    return this.#defined[position];
  }

  /** The number of runs that the delta has defined. */
  get definedCount(): number {
    return this.#defined.length;
  }

  /** Adds a run that the delta defines. */
  define(run: number): void {
    this.#positions.set(run, this.#defined.length);
    this.#defined.push(run);
  }
}
