import type { FlatTable } from '../table/flat-table.js';
import { joinSubtrees, type Graft } from '../table/graft.js';
import { sumOfCounters } from './agreement-counts.js';
import { LocationReader, LocationTable } from './location-table.js';
import type { MergedPart } from './merge-part.js';

/** A merged table; its ids are indexes into `locations`. */
export interface JoinedTable {
  readonly table: FlatTable;
  readonly locations: LocationReader;
  /** The sums of the counters of all parts; see `AGREEMENT`. */
  readonly agreement: Readonly<Record<string, number>>;
}

/**
 * Joins one edition of all parts, in address order: grafts their subtrees and interns their locations. The result is the
 * same for every division into parts, except for the order of the locations.
 */
export function joinParts(parts: Iterable<MergedPart>): JoinedTable {
  const locations = new LocationTable();
  const counts: MergedPart['agreement'][] = [];
  const table = joinSubtrees(graftsOf(parts, locations, counts));
  const agreement = sumOfCounters(counts);
  return { table, locations: new LocationReader(locations.columns()), agreement };
}

/** Also adds the counters of each part to `counts`. */
function* graftsOf(
  parts: Iterable<MergedPart>,
  locations: LocationTable,
  counts: MergedPart['agreement'][],
): Generator<Graft> {
  for (const part of parts) {
    counts.push(part.agreement);
    const ids = locations.internAll(part.locations);
    for (const subtree of part.subtrees) yield { ...subtree, ids };
  }
}
