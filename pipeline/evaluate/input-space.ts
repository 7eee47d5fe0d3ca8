import { z } from 'zod';
import type { ReadMmdb } from '../mmdb/read.js';
import type { Prefix } from '../net/prefix.js';
import type { FlatTable } from '../table/flat-table.js';
import { isNode, NONE, recordIdOf } from '../table/slots.js';

/** Kinds of claims that may not be measured by what they may have been copied from. */
export type StatedBasis = 'geofeed' | 'override';

/**
 * The space that the feed `own` states by a geofeed or an override, from its verdict table: no truth there counts,
 * because the build may have read that very truth. A geofeed that asks not to be located states no place and leaves no
 * trace in the table.
 */
export class InputSpace {
  readonly #table: FlatTable;
  readonly #records: readonly unknown[];
  readonly #bases: (StatedBasis | null)[] = [];

  constructor({ table, records }: Pick<ReadMmdb, 'table' | 'records'>) {
    this.#table = table;
    this.#records = records;
  }

  /**
   * How `own` states any part of a prefix, be it by a prefix that covers it or by one inside it; absent when it
   * states nothing there.
   */
  basisWithin({ address, length }: Prefix): StatedBasis | undefined {
    return this.#basisBelow(this.#table.slotOfPrefix(address, length));
  }

  #basisBelow(slot: number): StatedBasis | undefined {
    if (slot === NONE) return undefined;
    if (!isNode(slot)) return this.#basisOf(recordIdOf(slot)) ?? undefined;
    const { slots } = this.#table;
    return this.#basisBelow(slots[2 * slot]!) ?? this.#basisBelow(slots[2 * slot + 1]!);
  }

  #basisOf(id: number): StatedBasis | null {
    const held = this.#bases[id];
    if (held !== undefined) return held;
    const { basis } = verdictSchema.parse(this.#records[id]);
    return (this.#bases[id] = basis === 'geofeed' || basis === 'override' ? basis : null);
  }
}

const verdictSchema = z.looseObject({ basis: z.enum(['override', 'geofeed', 'registration']).optional() });
