import type { ListClaim } from '../lists/list-claim.js';
import type { FlatTable } from '../table/flat-table.js';
import { Uint32Column } from '../table/slots.js';
import { ABSENT, zip } from '../table/zip.js';
import type { Hit, ListInput } from './service.js';

/** One table of claims among those that are joined, and the days that its claims are dated by. */
export type HitSource = Pick<ListInput, 'id' | 'table' | 'claims' | 'day' | 'today'>;

/** All lists as one table, whose record ids stand for distinct combinations of claims. */
export class HitTable {
  readonly table: FlatTable;
  readonly sources: readonly HitSource[];
  /** Where each combination begins in the two columns. */
  readonly #starts = new Uint32Column();
  readonly #sourceColumn = new Uint32Column();
  readonly #claimColumn = new Uint32Column();

  constructor(sources: readonly HitSource[]) {
    this.sources = sources;
    this.table = zip(
      sources.map(({ table }) => table),
      (ids) => this.#add(ids),
    );
    push(this.#starts, this.#claimColumn.length);
  }

  /** How many distinct combinations there are. */
  get combinations(): number {
    return this.#starts.length - 1;
  }

  /** What the lists say, in their order; nothing for ABSENT. */
  hitsOf(combination: number): Hit[] {
    const hits: Hit[] = [];
    this.forEach(combination, (place, claim) => {
      const source = this.sources[place]!;
      hits.push(hitOf(source, source.claims[claim]!));
    });
    return hits;
  }

  /** Calls `visit` with the place of each source that says something, and the number of its claim. */
  forEach(combination: number, visit: (source: number, claim: number) => void): void {
    if (combination === ABSENT) return;
    const end = this.#starts.values[combination + 1]!;
    for (let at = this.#starts.values[combination]!; at < end; at++) {
      visit(this.#sourceColumn.values[at]!, this.#claimColumn.values[at]!);
    }
  }

  #add(ids: Int32Array): number {
    push(this.#starts, this.#claimColumn.length);
    for (let source = 0; source < ids.length; source++) {
      if (ids[source] === ABSENT) continue;
      push(this.#sourceColumn, source);
      push(this.#claimColumn, ids[source]!);
    }
    return this.#starts.length - 1;
  }
}

/**
 * A claim as a hit: a row without a date of its own, or with one that has not come yet, was last seen on the day of
 * the copy.
 */
export function hitOf({ id, day, today }: Omit<HitSource, 'table' | 'claims'>, claim: ListClaim): Hit {
  const lastSeen = claim.lastSeen === undefined || claim.lastSeen > today ? day : claim.lastSeen;
  return {
    list: id,
    claim,
    lastSeen,
    ageDays: Math.max(0, today - lastSeen),
    copyAgeDays: Math.max(0, today - day),
  };
}

function push(column: Uint32Column, value: number): void {
  if (column.length === column.values.length) column.reserve(1);
  column.values[column.length++] = value;
}
