import { positionOf } from '../registry/sorted-numbers.js';

/** Returns the distinct numbers of the columns, ascending. */
export function distinctNumbers(...columns: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(columns.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const column of columns) {
    all.set(column, filled);
    filled += column.length;
  }
  all.sort();
  let kept = 0;
  for (const number of all) if (kept === 0 || all[kept - 1] !== number) all[kept++] = number;
  return all.slice(0, kept);
}

/** Row numbers of a table, grouped by AS number. */
export class RowsByNetwork {
  /** The AS numbers with rows, ascending. */
  readonly asns: Uint32Array;
  /** Rows of the AS at position p: `#rows[#starts[p]]` up to (not including) `#rows[#starts[p + 1]]`. */
  readonly #starts: Uint32Array;
  readonly #rows: Uint32Array;

  /** Row `rows[i]` belongs to AS `asns[i]`. */
  constructor(asns: Uint32Array, rows: Uint32Array) {
    this.asns = distinctNumbers(asns);
    const positions = new Uint32Array(asns.length);
    for (let i = 0; i < asns.length; i++) positions[i] = positionOf(this.asns, asns[i]!)!;
    this.#starts = new Uint32Array(this.asns.length + 1);
    for (const position of positions) this.#starts[position + 1]!++;
    for (let p = 0; p < this.asns.length; p++) this.#starts[p + 1]! += this.#starts[p]!;
    this.#rows = new Uint32Array(rows.length);
    const filled = this.#starts.slice();
    for (let i = 0; i < rows.length; i++) this.#rows[filled[positions[i]!]!++] = rows[i]!;
  }

  /** Returns the rows of an AS in the given order, as a view: writing to it reorders the rows for later calls. */
  rowsOf(asn: number): Uint32Array {
    const position = positionOf(this.asns, asn);
    if (position === undefined) return NO_ROWS;
    return this.#rows.subarray(this.#starts[position], this.#starts[position + 1]);
  }
}

const NO_ROWS = new Uint32Array(0);
