/** The rows of a pair of Blocks files. */
export interface Blocks {
  /** The column names after `network`. */
  readonly columns: readonly string[];
  /** Returns the fields of a record after the network, joined by commas; undefined for a record that has no row. */
  readonly lineOf: (offset: number) => string | undefined;
}
