/** Lists that stand in columns: list r is entries `starts[r]` up to (not including) `starts[r + 1]`. */
export interface ListColumns {
  readonly starts: Uint32Array;
  readonly columns: readonly (Uint32Array | Uint8Array)[];
}

/** Makes lists of objects. Lists asked for in a row that are equal are one object. */
export class RouteLists<Entry> {
  readonly #columns: ListColumns;
  readonly #make: (position: number) => Entry;
  /** The list made last, and where it stands in the columns. */
  #last: readonly Entry[] = [];
  #lastStart = 0;

  constructor(columns: ListColumns, make: (position: number) => Entry) {
    this.#columns = columns;
    this.#make = make;
  }

  at(index: number): readonly Entry[] {
    const { starts } = this.#columns;
    const start = starts[index]!;
    const length = starts[index + 1]! - start;
    if (!this.#equalsLast(start, length)) {
      const made: Entry[] = [];
      for (let i = start; i < start + length; i++) made.push(this.#make(i));
      this.#last = made;
      this.#lastStart = start;
    }
    return this.#last;
  }

  #equalsLast(start: number, length: number): boolean {
    if (length !== this.#last.length) return false;
    for (const column of this.#columns.columns) {
      for (let i = 0; i < length; i++) if (column[start + i] !== column[this.#lastStart + i]) return false;
    }
    return true;
  }
}
