import type { ColumnSpec, Columns } from '../table/column-file.js';

/**
 * Distinct AS paths in columns. Path p is `asns[offsets[p]]` up to (not including) `asns[offsets[p + 1]]`: the peer's
 * AS first, the origin last, with prepends. Sets and confederations are removed, except a final set of one AS, which is
 * kept as that AS; `flags[p]` records the removal.
 */
export const PATH_COLUMNS = {
  offsets: 'u32',
  asns: 'u32',
  flags: 'u8',
} as const satisfies ColumnSpec;

/** Distinct paths in the columns of PATH_COLUMNS. */
export type PathTable = Columns<typeof PATH_COLUMNS>;

/** Flag: the path contained an AS_SET. It is not used for topology. */
export const PATH_HAS_SET = 1;
/** Flag: the path contained a confederation segment. It is not used for topology. */
export const PATH_HAS_CONFEDERATION = 2;
/** Flag: the path ended in an AS_SET of one or more ASes. It is never RPKI valid (RFC 6811 §2, RFC 6907 §7.1). */
export const PATH_ENDS_IN_SET = 4;
/** Flag: the path has no origin, because it ended in a set of several ASes or is empty. */
export const PATH_HAS_NO_ORIGIN = 8;
