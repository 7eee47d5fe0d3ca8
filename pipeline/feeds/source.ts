import type { FeedFile, Licence, OpenFile } from './feed.js';
import type { Tally } from './tally.js';

/**
 * One published source that says nothing about places: a routing table, a registry, names of networks. A constant of
 * this shape; what it says is kept as files of columns beside each other in one folder, read by a `load…` of its own.
 */
export interface Source {
  readonly id: string;
  readonly publisher: string;
  readonly licence: Licence;
  readonly files: readonly FeedFile[];
  /** How often the publisher renews it, for people. */
  readonly cadence: string;
  /** Raised with every change that makes the same files read differently; part of the cache key. */
  readonly version: number;
  /** Share of rejected rows of one file, 0..1, above which that file is refused. */
  readonly tolerance: number;
  /**
   * Reads every row of every file and writes what they say into `reading.dir`. Throws FeedError (with the file's id)
   * when a file is unusable as a whole, RefusedFiles for several; the folder is then thrown away.
   */
  normalise(files: readonly OpenFile[], reading: SourceReading): Promise<void>;
}

/** What a source's reader works with. */
export interface SourceReading {
  /** An empty folder. It is kept under another name when all went well. */
  readonly dir: string;
  /** The file's counts; the same object for every call. Every file is asked for, also one that is left unread. */
  readonly tallyOf: (file: OpenFile) => Tally;
  /** One line for the person who watches the build. */
  readonly log: (line: string) => void;
  /** When the build began, for live downloads only: what is too old then is refused. */
  readonly now?: Date;
}
