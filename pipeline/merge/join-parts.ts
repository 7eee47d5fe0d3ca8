import type { FlatTable } from '../table/flat-table.js';
import { joinSubtrees, type Graft } from '../table/graft.js';
import { LocationReader, LocationTable } from './location-table.js';
import type { MergedPart } from './merge-part.js';

/** A merged table; its ids are indexes into `locations`. */
export interface JoinedTable {
  readonly table: FlatTable;
  readonly locations: LocationReader;
}

/**
 * Joins one edition of all parts, in address order: grafts their subtrees and interns their locations. The result is the
 * same for every division into parts, except for the order of the locations.
 */
export function joinParts(parts: Iterable<MergedPart>): JoinedTable {
  const locations = new LocationTable();
  const table = joinSubtrees(graftsOf(parts, locations));
  return { table, locations: new LocationReader(locations.columns()) };
}

function* graftsOf(parts: Iterable<MergedPart>, locations: LocationTable): Generator<Graft> {
  for (const part of parts) {
    const ids = locations.internAll(part.locations);
    for (const subtree of part.subtrees) yield { ...subtree, ids };
  }
}
