/**
 * The faults of an MMDB file. Metadata: `marker` (not found), `metadata` (a key is missing or has a wrong type or
 * value, or bytes follow). Search tree: `tree-size` (exceeds the file), `separator` (not 16 zero bytes), `record-gap`
 * (a record in N+1..N+15), `record-range` (a record beyond the data section), `record-target` (a record that is not the
 * start of a top-level value), `tree-depth`, `tree-cycle`, `node-shared` (reached twice), `node-unreachable`. Data:
 * `truncated` (a value exceeds its section), `type` (an unused type number), `size` (a number with too many or too few
 * bytes), `count` (more entries than bytes left), `utf8`, `key-type`, `duplicate-key`, `depth`, `pointer-range`,
 * `pointer-start` (into the middle of a value), `pointer-chain` (to a pointer), `pointer-cycle`, `orphan` (a top-level
 * value that no record of the tree refers to), `schema`.
 */
export type MmdbFault =
  | 'marker'
  | 'metadata'
  | 'tree-size'
  | 'separator'
  | 'record-gap'
  | 'record-range'
  | 'record-target'
  | 'tree-depth'
  | 'tree-cycle'
  | 'node-shared'
  | 'node-unreachable'
  | 'truncated'
  | 'type'
  | 'size'
  | 'count'
  | 'utf8'
  | 'key-type'
  | 'duplicate-key'
  | 'depth'
  | 'pointer-range'
  | 'pointer-start'
  | 'pointer-chain'
  | 'pointer-cycle'
  | 'orphan'
  | 'schema';

/** A place in a file: a byte offset, and a path in a record or the metadata, or a network of the search tree. */
export interface MmdbPlace {
  readonly offset: number;
  /** `/city/names/en`, `/` for a whole value, or `2001:db8::/32` in the search tree. */
  readonly path: string;
}

/** Thrown for an invalid MMDB file: `at offset 2034, path /city/names/en: invalid UTF-8 in a string`. */
export class MmdbError extends Error {
  override readonly name = 'MmdbError';
  readonly offset: number;
  readonly path: string;

  constructor(
    readonly fault: MmdbFault,
    place: MmdbPlace,
    /** The problem, without the place. */
    readonly found: string,
    options?: ErrorOptions,
  ) {
    super(`at offset ${place.offset}, path ${place.path}: ${found}`, options);
    this.offset = place.offset;
    this.path = place.path;
  }
}
