import type { Bitset } from './bitset.js';
import { DataCursor, MAX_DEPTH, typeName } from './data-cursor.js';
import { TYPE_NUMBERS as TYPE } from './encode.js';
import { KeyStack } from './key-stack.js';
import { MmdbError } from './mmdb-error.js';
import type { ProblemList } from './problems.js';
import type { MmdbLayout } from './tree-layout.js';
import type { ScannedData } from './verify-data.js';

/**
 * Follows every pointer of a data section that scanData has read to its end. A pointer must lead to the start of a
 * value that is not a pointer and does not contain it. Nesting must not exceed MAX_DEPTH. Keys must be strings and
 * unique in their map.
 *
 * The height of each map and array is cached, so a target is walked once. The exception are targets after their
 * pointer: they are walked again where they are stored, at most MAX_DEPTH times.
 */
export function verifyPointers(layout: MmdbLayout, scanned: ScannedData, problems: ProblemList): void {
  const walk = new PointerWalk(layout, scanned, problems);
  try {
    for (let at = 0; at < layout.data.length; at = walk.end) walk.height(at);
  } catch (error) {
    if (!(error instanceof MmdbError)) throw error;
    problems.add(() => error);
  }
}

/** Marks a map or array on the current path. Known heights are 1..MAX_DEPTH; 0 is unknown. */
const OPEN = 255;

class PointerWalk {
  /** The section offset after the value that `height` has walked. */
  end = 0;
  readonly #cursor: DataCursor;
  /** The starts of values. */
  readonly #starts: Bitset;
  readonly #problems: ProblemList;
  /** The levels of maps and arrays from a value down, by section offset. */
  readonly #heights: Uint8Array;
  readonly #keys: KeyStack;

  constructor(layout: MmdbLayout, scanned: ScannedData, problems: ProblemList) {
    this.#cursor = new DataCursor(layout.data, layout.dataStart);
    this.#starts = scanned.starts;
    this.#problems = problems;
    this.#heights = new Uint8Array(layout.data.length);
    this.#keys = new KeyStack(layout.data);
  }

  /** Walks the value at `at` and returns its levels of maps and arrays. Throws MmdbError above MAX_DEPTH. */
  height(at: number): number {
    const cursor = this.#cursor;
    if (cursor.open(at) !== TYPE.pointer) return this.#heightHere(at);
    const { end: behind, target } = cursor;
    // A target with a height is a map or an array that has been walked.
    const known = target < this.#heights.length ? this.#heights[target]! : 0;
    const isWalked = known !== 0 && known !== OPEN && cursor.depth + known <= MAX_DEPTH;
    const height = isWalked ? known : this.#opensTarget(at) ? this.#targetHeight(at) : 0;
    this.end = behind;
    return height;
  }

  /** Returns the height of the value that the cursor has opened at `at`. */
  #heightHere(at: number): number {
    const { type, end } = this.#cursor;
    if (type !== TYPE.map && type !== TYPE.array) {
      this.end = end;
      return 0;
    }
    this.#heights[at] = OPEN;
    const height = 1 + (type === TYPE.map ? this.#mapHeight(at) : this.#arrayHeight(at));
    this.#heights[at] = height;
    return height;
  }

  /** Returns the height of the target of the pointer at `at`. The cursor has opened the target. */
  #targetHeight(at: number): number {
    const cursor = this.#cursor;
    const target = cursor.at;
    const known = this.#heights[target]!;
    if (known === OPEN) {
      this.#problems.add(() =>
        cursor.error('pointer-cycle', at, `pointer to ${target}, a value that contains the pointer`),
      );
      return 0;
    }
    if (known === 0) return this.#heightHere(target);
    if (cursor.depth + known > MAX_DEPTH)
      throw cursor.error('depth', at, `nested more than ${MAX_DEPTH} levels deep`);
    return known;
  }

  #mapHeight(at: number): number {
    const cursor = this.#cursor;
    const count = cursor.size;
    const firstKey = this.#keys.length;
    let highest = 0;
    this.end = cursor.payload;
    cursor.enter(at);
    for (let i = 0; i < count; i++) {
      cursor.atKey(this.end);
      this.#takeKey(this.end);
      highest = Math.max(highest, this.height(this.end));
    }
    cursor.leave();
    const duplicate = this.#keys.takeDuplicate(firstKey);
    if (duplicate !== undefined) {
      this.#problems.add(() =>
        cursor.error('duplicate-key', at, `duplicate key at offset ${duplicate} of the data section`),
      );
    }
    return highest;
  }

  #arrayHeight(at: number): number {
    const cursor = this.#cursor;
    const count = cursor.size;
    let highest = 0;
    this.end = cursor.payload;
    cursor.enter(at);
    for (let i = 0; i < count; i++) {
      cursor.atIndex(i);
      highest = Math.max(highest, this.height(this.end));
    }
    cursor.leave();
    return highest;
  }

  #takeKey(at: number): void {
    const cursor = this.#cursor;
    const isPointer = cursor.open(at) === TYPE.pointer;
    const behind = cursor.end;
    if (isPointer && !this.#opensTarget(at)) {
      this.end = behind;
      return;
    }
    const { type, payload, size } = cursor;
    if (type === TYPE.string) {
      this.#keys.push(payload, size);
      this.end = behind;
      return;
    }
    this.#problems.add(() =>
      cursor.error('key-type', at, `map key of type ${typeName(type)}: expected string`),
    );
    if (isPointer) this.end = behind;
    else this.height(at);
  }

  /**
   * Opens the target of the pointer at `at`, which was opened last. Adds a problem and returns false when it is
   * invalid.
   */
  #opensTarget(at: number): boolean {
    const cursor = this.#cursor;
    const { target, section } = cursor;
    if (target >= section.length) {
      this.#problems.add(() =>
        cursor.error(
          'pointer-range',
          at,
          `pointer to ${target}, beyond the section of ${section.length} bytes`,
        ),
      );
      return false;
    }
    if (!this.#starts.has(target)) {
      this.#problems.add(() =>
        cursor.error('pointer-start', at, `pointer to ${target}, which is not the start of a value`),
      );
      return false;
    }
    if (cursor.open(target) !== TYPE.pointer) return true;
    this.#problems.add(() => cursor.error('pointer-chain', at, `pointer to another pointer at ${target}`));
    return false;
  }
}
