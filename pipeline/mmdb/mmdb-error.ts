/**
 * What can be wrong with an MMDB file. Metadata: `marker` (none found), `metadata` (a key is missing, of the wrong
 * type or value, or bytes follow). Search tree: `tree-size` (does not fit into the file), `separator` (not 16 zero
 * bytes), `record-gap` (a record in N+1..N+15), `record-range` (a record beyond the data section), `record-target` (a
 * record that is not the start of a top-level value), `tree-depth`, `tree-cycle`, `node-shared` (reached twice),
 * `node-unreachable`. Data: `truncated` (a value runs past the end of its section), `type` (a type number not in use),
 * `size` (a number with too many or too few bytes), `count` (more entries than bytes left), `utf8`, `key-type`,
 * `duplicate-key`, `depth`, `pointer-range`, `pointer-start` (into the middle of a value), `pointer-chain` (to a
 * pointer), `pointer-cycle`, `orphan` (a top-level value that no record of the tree refers to), `schema`.
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

/** Where in a file: a byte offset from its start, and a path inside a record or metadata, or a network of the tree. */
export interface MmdbPlace {
  readonly offset: number;
  /** `/city/names/en`, `/` for a value as a whole, `2001:db8::/32` in the search tree. */
  readonly path: string;
}

/** The bytes are not the MMDB file they should be: `at offset 2034, path /city/names/en: not valid UTF-8`. */
export class MmdbError extends Error {
  override readonly name = 'MmdbError';
  readonly offset: number;
  readonly path: string;

  constructor(
    readonly fault: MmdbFault,
    place: MmdbPlace,
    /** What was found, in words, without the place. */
    readonly found: string,
    options?: ErrorOptions,
  ) {
    super(`at offset ${place.offset}, path ${place.path}: ${found}`, options);
    this.offset = place.offset;
    this.path = place.path;
  }
}
