import type { FlatTable } from '../table/flat-table.js';
import { compareGeo, type Changes, type Extent } from './compare-geo.js';

/** The part of an ISP record that a comparison uses. */
export interface TypeRecord {
  /** `VPN`, `TOR` and so on; absent when no list gives the address a type. */
  readonly type?: string;
  /** Equal exactly when the whole records are equal. */
  readonly key: string;
}

/** An ISP dataset: networks, and the records that their ids index. */
export interface TypeTable {
  readonly table: FlatTable;
  readonly records: readonly TypeRecord[];
}

/** The space of one type in both releases. */
export interface TypeChange {
  readonly type: string;
  readonly before: Extent;
  readonly after: Extent;
  readonly gained: Extent;
  readonly lost: Extent;
}

/** Address space that changed from one type to another; `none` means no type. */
export interface TypeMove extends Extent {
  readonly from: string;
  readonly to: string;
}

/** A comparison of two ISP datasets. Every address of either is in exactly one of `changes`. */
export interface TypeComparison {
  readonly changes: Changes;
  /** Every type of either dataset, the largest turnover first. */
  readonly types: readonly TypeChange[];
  /** Every pair of types between which space moved, the largest first. */
  readonly moves: readonly TypeMove[];
}

/** Compares two ISP datasets address by address. Uses `compareGeo` with types in place of countries. */
export function compareTypes(before: TypeTable, after: TypeTable): TypeComparison {
  const { changes, countries, moves } = compareGeo(byType(before), byType(after));
  const types = countries.map(({ country: type, ...extents }) => ({ type, ...extents }));
  return { changes, types: types.filter(({ type }) => type !== 'none'), moves };
}

function byType({ table, records }: TypeTable): Parameters<typeof compareGeo>[0] {
  return {
    table,
    records: records.map(({ type, key }) => ({ key, ...(type !== undefined && { country: type }) })),
  };
}
