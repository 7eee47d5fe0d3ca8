import type { OpenFile, PublishedSource } from '../input/published-source.js';
import type { NormaliseContext } from '../input/routing-source.js';
import type { FileDigest } from '../release/digest.js';

/** Common interface of feeds, routing sources and lists for ingest: reads files and writes a folder. */
export interface Reader {
  readonly source: ReaderSource;
  /** As `RoutingSource.normalise`. */
  normalise(files: readonly OpenFile[], context: ReaderContext): Promise<Written | undefined>;
}

/** The facts about a source that ingest needs. */
export type ReaderSource = Pick<PublishedSource, 'id' | 'publisher' | 'licence' | 'version' | 'tolerance'> & {
  /**
   * Lists only: days after which a copy is ignored. Lists are compared more strictly with their last good copies than
   * feeds, see `judge-files.ts`.
   */
  readonly maxAgeDays?: number;
};

/** The input of a reader besides its files. */
export interface ReaderContext extends NormaliseContext {
  /** Judges the files. A reader with much work after the last row calls it first. Throws if files cannot be used. */
  readonly judge: () => void;
}

/** Facts about the written files. */
export interface Written {
  /** Networks of a prefix table. */
  readonly networks?: number;
  /** Digests of files by name, as far as they are known already. */
  readonly digests?: Readonly<Record<string, FileDigest>>;
}
