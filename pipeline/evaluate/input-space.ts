import { z } from 'zod';
import { CLAIM_BASES } from '../input/claims/claim.js';
import type { ReadMmdb } from '../mmdb/read.js';
import type { Prefix } from '../net/prefix.js';
import type { FlatTable } from '../table/flat-table.js';
import { isNode, NONE, recordIdOf } from '../table/slots.js';

/** The bases of claims that are excluded from an evaluation, because the truth may be their source. */
export type StatedBasis = (typeof STATED)[number];
export const STATED = ['override', 'geofeed', 'cloud', 'exchange'] as const;

/**
 * The address space of overrides, geofeeds (in and outside of their blocks), clouds and exchanges of the feed `own`, from
 * its verdict table. Truth there is excluded, because the build may have used that very truth. Geofeed entries without a
 * place are not in the table.
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
   * Returns the basis of a claim of `own` about any part of a prefix, whether the claim's prefix covers it or is inside
   * it; undefined if there is none of those bases.
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
    // Only rows of geofeeds outside of their blocks are observations.
    return (this.#bases[id] =
      basis === undefined ? 'geofeed' : (STATED.find((stated) => stated === basis) ?? null));
  }
}

const verdictSchema = z.looseObject({ basis: z.enum(CLAIM_BASES).optional() });
