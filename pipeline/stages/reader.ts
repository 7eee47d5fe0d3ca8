import type { OpenFile } from '../feeds/feed.js';
import type { Source, SourceReading } from '../feeds/source.js';
import type { FileDigest } from '../release/digest.js';

/** A feed, a source or a list as ingest reads it: files in, a folder with what they say out. */
export interface Reader extends Pick<Source, 'id' | 'publisher' | 'licence' | 'version' | 'tolerance'> {
  /**
   * Of a list: days after which a copy is believed no more. Lists are held against their last good copies more strictly
   * than feeds, see `judge-files.ts`.
   */
  readonly maxAgeDays?: number;
  /** As `Source.normalise`. */
  normalise(files: readonly OpenFile[], reading: Reading): Promise<Written | undefined>;
}

/** What a reader works with. */
export interface Reading extends SourceReading {
  /** To be called when all rows are read, by a reader that has much to do then; throws when files cannot be used. */
  readonly judge: () => void;
}

/** What a reader can tell about what it wrote. */
export interface Written {
  /** Networks of a prefix table. */
  readonly networks?: number;
  /** Digests of files, by name, that it knows already. */
  readonly digests?: Readonly<Record<string, FileDigest>>;
}
