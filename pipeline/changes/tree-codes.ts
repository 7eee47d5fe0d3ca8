/**
 * How a leaf of a changed subtree is written. NODE: two slots follow, the left one first. GAP: no record. KEPT: the
 * record that the old file has here. NEW: a record that the old file does not have; it follows in the other streams.
 * AGAIN: what this old record was replaced by last. KNOWN: another record, by number.
 */
export const CODE = { NODE: 0, GAP: 1, KEPT: 2, NEW: 3, AGAIN: 4, KNOWN: 5 } as const;

/** The number of no record, and of no replacement. */
export const NO_RECORD = 0xffff_ffff;

/**
 * What both sides know while they walk the old tree: the last replacement of each old record, and the record of the
 * last network. Numbers of new records follow those of the old ones, in the order of their first network.
 */
export class WalkMemory {
  readonly #last: Uint32Array;
  /** The number of the record before the current position. */
  previous = NO_RECORD;

  constructor(
    /** The number of records of the old file. */
    readonly oldCount: number,
  ) {
    this.#last = new Uint32Array(oldCount + 1).fill(NO_RECORD);
  }

  /** Returns what an old record, or no record, was replaced by last. */
  replacementOf(old: number): number {
    return this.#last[this.#indexOf(old)]!;
  }

  /** Notes that a network with an old record, or with none, now has another one. */
  replace(old: number, record: number): void {
    this.#last[this.#indexOf(old)] = record;
    this.previous = record;
  }

  #indexOf(old: number): number {
    return old === NO_RECORD ? this.oldCount : old;
  }
}
