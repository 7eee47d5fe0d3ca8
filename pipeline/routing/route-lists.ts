/** Lists in columns: list r is entries `starts[r]` up to (not including) `starts[r + 1]`. */
export interface ListColumns {
  readonly starts: Uint32Array;
  readonly columns: readonly (Uint32Array | Uint8Array)[];
}

/**
 * Returns lists of objects from columns. Equal entries and equal lists are usually the same object, because routes of
 * one network have much in common; a shared object is built and written once.
 */
export class RouteLists<Entry> {
  readonly #starts: Uint32Array;
  readonly #lists: RunCache<readonly Entry[]>;

  constructor({ starts, columns }: ListColumns, make: (position: number) => Entry) {
    this.#starts = starts;
    const entries = new RunCache(columns, make);
    this.#lists = new RunCache(columns, (start, length) => {
      const list: Entry[] = [];
      for (let i = start; i < start + length; i++) list.push(entries.of(i, 1));
      return list;
    });
  }

  at(index: number): readonly Entry[] {
    const start = this.#starts[index]!;
    return this.#lists.of(start, this.#starts[index + 1]! - start);
  }
}

/** A cache of objects built from runs of rows, with one place per hash; a new object replaces the old one. */
export class RunCache<Made> {
  readonly #columns: ListColumns['columns'];
  readonly #make: (start: number, length: number) => Made;
  readonly #starts = new Uint32Array(PLACES);
  readonly #lengths = new Uint32Array(PLACES);
  readonly #made = new Array<Made | undefined>(PLACES).fill(undefined);

  constructor(columns: ListColumns['columns'], make: (start: number, length: number) => Made) {
    this.#columns = columns;
    this.#make = make;
  }

  of(start: number, length: number): Made {
    const place = this.#hash(start, length) & (PLACES - 1);
    let made = this.#made[place];
    if (
      made !== undefined &&
      this.#lengths[place] === length &&
      this.#equals(this.#starts[place]!, start, length)
    )
      return made;
    made = this.#make(start, length);
    this.#made[place] = made;
    this.#starts[place] = start;
    this.#lengths[place] = length;
    return made;
  }

  #hash(start: number, length: number): number {
    let hash = length;
    for (const column of this.#columns) {
      for (let i = start; i < start + length; i++)
        hash = Math.imul(hash ^ column[i]!, 0x9e37_79b1) ^ (hash >>> 15);
    }
    return hash ^ (hash >>> 16);
  }

  #equals(a: number, b: number, length: number): boolean {
    for (const column of this.#columns) {
      for (let i = 0; i < length; i++) if (column[a + i] !== column[b + i]) return false;
    }
    return true;
  }
}

/** A power of two. */
const PLACES = 1 << 15;
