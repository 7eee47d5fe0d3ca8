import { isUtf8 } from 'node:buffer';
import { Bitset } from './bitset.js';
import { DataCursor } from './data-cursor.js';
import { isAscii } from './decode.js';
import { TYPE_NUMBERS as TYPE } from './encode.js';
import { MmdbError } from './mmdb-error.js';
import type { ProblemList } from './problems.js';
import type { MmdbLayout } from './tree-layout.js';

/** The values of a data section, by section offset. */
export interface ScannedData {
  /** The starts of all values, including nested values and keys. */
  readonly starts: Bitset;
  /** The starts of top-level values. */
  readonly topLevel: Bitset;
  /** The offset up to which the section could be read; its length when every byte belongs to a value. */
  readonly end: number;
}

/**
 * Reads a data section from its first to its last byte as a sequence of values, without following pointers. Checks that
 * every value is complete and strings are UTF-8. Stops at the first invalid value, because the start of the next one is
 * then unknown.
 */
export function scanData(layout: MmdbLayout, problems: ProblemList): ScannedData {
  const scan = new DataScan(layout, problems);
  const topLevel = new Bitset(layout.data.length);
  let end = 0;
  try {
    while (end < layout.data.length) {
      const at = end;
      end = scan.skip(at);
      topLevel.add(at);
    }
  } catch (error) {
    if (!(error instanceof MmdbError)) throw error;
    problems.add(() => error);
  }
  return { starts: scan.starts, topLevel, end };
}

class DataScan {
  readonly starts: Bitset;
  readonly #cursor: DataCursor;
  readonly #problems: ProblemList;

  constructor(layout: MmdbLayout, problems: ProblemList) {
    this.starts = new Bitset(layout.data.length);
    this.#cursor = new DataCursor(layout.data, layout.dataStart);
    this.#problems = problems;
  }

  /** Checks the value at `at` and everything inside it. Returns the offset after it. */
  skip(at: number): number {
    const cursor = this.#cursor;
    const type = cursor.open(at);
    const { size, payload, end } = cursor;
    this.starts.add(at);
    if (type === TYPE.map) return this.#skipMap(at, size);
    if (type === TYPE.array) return this.#skipArray(at, size);
    if (type === TYPE.string) this.#checkText(at, payload, end);
    return end;
  }

  #skipMap(at: number, count: number): number {
    const cursor = this.#cursor;
    let next = cursor.payload;
    cursor.enter(at);
    for (let i = 0; i < count; i++) {
      cursor.atKey(next);
      next = this.skip(this.skip(next));
    }
    cursor.leave();
    return next;
  }

  #skipArray(at: number, count: number): number {
    const cursor = this.#cursor;
    let next = cursor.payload;
    cursor.enter(at);
    for (let i = 0; i < count; i++) {
      cursor.atIndex(i);
      next = this.skip(next);
    }
    cursor.leave();
    return next;
  }

  #checkText(at: number, from: number, to: number): void {
    const cursor = this.#cursor;
    if (isAscii(cursor.section, from, to) || isUtf8(cursor.section.subarray(from, to))) return;
    this.#problems.add(() => cursor.error('utf8', at, 'invalid UTF-8 in a string'));
  }
}
