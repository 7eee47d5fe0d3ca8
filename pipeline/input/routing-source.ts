import type { FlatTable } from '../table/flat-table.js';
import type { OpenFile, PublishedSource } from './published-source.js';
import type { Tally } from './tally.js';

/**
 * A published source without locations: a routing table, a registry, names of networks, or the AS of addresses. Its
 * normalised data is a folder of files, which a `load…` function next to the source reads. Each is a constant, listed in
 * `snapshot/routing-sources.ts`.
 */
export interface RoutingSource extends PublishedSource {
  /** Whether reserved space is cut out while rows are read, as for feeds. `context.reserved` is then present. */
  readonly cutsReserved?: true;
  /**
   * Reads every row of every file and writes the normalised data into `context.dir`. Throws FeedError when a file is
   * unusable as a whole, RefusedFiles for several. The folder is then deleted.
   */
  normalise(files: readonly OpenFile[], context: NormaliseContext): Promise<void>;
}

/** The context that the build provides to a reader. */
export interface NormaliseContext {
  /** An empty folder for the result. It is renamed on success. */
  readonly dir: string;
  /** Returns the tally of a file, always the same object. Readers call it for every file, even for files not read. */
  readonly tallyOf: (file: OpenFile) => Tally;
  /** Prints one line of progress. */
  readonly log: (line: string) => void;
  /** Space to reject rows about, from IANA's registries; only for a source that cuts it out. */
  readonly reserved?: FlatTable;
  /** The start of the build, for live downloads only: data that is too old at this time is refused. */
  readonly now?: Date;
}
