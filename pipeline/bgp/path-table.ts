import type { ColumnSpec, Columns } from '../table/column-file.js';

/**
 * Distinct AS paths in columns. Path p is `asns[offsets[p]]` up to (not including) `asns[offsets[p + 1]]`: the peer's
 * side first, the origin last, prepends kept. Sets and confederations are taken out, but for a final set of one AS,
 * which stands as that AS; `flags[p]` tells what was there.
 */
export const PATH_COLUMNS = {
  offsets: 'u32',
  asns: 'u32',
  flags: 'u8',
} as const satisfies ColumnSpec;
export type PathTable = Columns<typeof PATH_COLUMNS>;

/** The path held an AS_SET anywhere: it never feeds topology. */
export const PATH_HAS_SET = 1;
/** The path held a confederation segment: it never feeds topology. */
export const PATH_HAS_CONFEDERATION = 2;
/** The path ended in an AS_SET, of one AS or more: it is never RPKI valid (RFC 6811 §2, RFC 6907 §7.1). */
export const PATH_ENDS_IN_SET = 4;
/** The path has no origin: it ended in a set of several ASes, or is empty. */
export const PATH_HAS_NO_ORIGIN = 8;
