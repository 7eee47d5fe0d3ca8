import type { Address } from '../net/address.js';
import type { Prefix } from '../net/prefix.js';
import type { Claim } from './claim.js';
import type { FeedId } from './feed-id.js';
import type { Note, Reason } from './tally.js';

/** Terms under which a publisher hands out a feed. */
export interface Licence {
  readonly name: string;
  readonly url: string;
  /** The line the publisher wants shown; absent where none is required. */
  readonly attribution?: string;
  readonly terms: Terms;
}

/**
 * What a licence asks of a file that others download. `free`: nothing, or a line of attribution. `share-alike`: the
 * whole file takes the same licence (CC BY-SA). `closed`: not without the publisher's consent. `unstated`: the
 * publisher says nothing, so not until it does.
 */
export type Terms = (typeof TERMS)[number];
export const TERMS = ['free', 'share-alike', 'closed', 'unstated'] as const;

/** Where a publisher hands out a file. */
export interface Download {
  /**
   * An https URL. `{NAME}` stands for the environment variable NAME (a token: kept out of logs and manifests), and
   * `{yyyy}` and `{mm}` for a month, UTC: tonight's, or the one before where tonight's is not out yet.
   */
  readonly url: string;
  /**
   * A file comes out every so many hours from midnight on, UTC, and never changes: `{yyyy}`, `{mm}`, `{dd}` and `{hh}`
   * stand for the last such time, or where that is not out yet for the last one of the day before now that is.
   */
  readonly everyHours?: number;
  /** Environment variables with user name and password for HTTP Basic authentication. */
  readonly basicAuth?: readonly [user: string, password: string];
  /** URL of the file's sha256, as `sha256sum` prints it. Same placeholders and authentication. */
  readonly sha256Url?: string;
  /** URL of the file's md5, as `md5sum` or BSD's `md5` prints it; without placeholders. */
  readonly md5Url?: string;
  /**
   * The URL gives a page that links the file, whose own URL changes with every edition: a pattern of that https URL. Of
   * several that match, the last by file name is asked for.
   */
  readonly link?: RegExp;
  /** What the file is kept as, where neither the URL's last part nor the answer's Content-Disposition says it. */
  readonly saveAs?: string;
  /**
   * The URL gives a zip of many files, kept as `saveAs`: those whose path in it ends in a name that matches are kept
   * each by itself. Several files may share one such download.
   */
  readonly archive?: 'zip';
  /** Smallest size in bytes that is believed. */
  readonly minBytes: number;
  /** Largest size in bytes that is taken, where less is believed of it than of every download. */
  readonly maxBytes?: number;
  /** Hours that the publisher wants to lie between two pulls of the file. */
  readonly pauseHours?: number;
  /** Looks at the whole text of a small file, and says what is wrong with it; a file that fails takes no place. */
  readonly refuse?: (text: string) => string | undefined;
  /** What is asked for instead when nothing of it can be had. */
  readonly fallback?: Fallback;
}

/** Another file that says the same, in the same container; without placeholders. */
export interface Fallback {
  readonly url: string;
  /** File name it is kept as, in the same folder. */
  readonly saveAs: string;
  readonly minBytes: number;
}

/** The container a publisher wraps a file in; `plain` is the bytes themselves. */
export type Container = 'zip' | 'gz' | 'bz2' | 'plain';

/** One file (or, with a `*`, a family of files) that a feed is published as. */
export interface FeedFile {
  /** Folder below the input directory, the feed id by default: one publisher's files may serve two feeds. */
  readonly folder: string;
  /** File name as published. Each `*` stands for any run of characters other than `/`. */
  readonly name: string;
  readonly container: Container;
  /** Without it the feed cannot be read at all. */
  readonly required: boolean;
  /** Where several files match: all of them, or of each folder the last by name (dated snapshots). */
  readonly take: 'all' | 'latest';
  /**
   * Names of other declared files of the folder that hold the same in another form: where one of them is there, this
   * one is not missed.
   */
  readonly alternatives?: readonly string[];
  /** Share of rejected rows, 0..1, above which this file is refused; the feed's tolerance by default. */
  readonly tolerance?: number;
  /** Absent for a file that only people provide. */
  readonly download?: Download;
}

/** A file of a snapshot, opened by its content: the bytes behind it never change. */
export interface OpenFile {
  /** `<folder>/<name>` as found, for messages and the manifest. */
  readonly id: string;
  readonly folder: string;
  readonly name: string;
  readonly container: Container;
  /** Where the bytes are. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Told how many more of the file's (packed) bytes have been read, for progress. */
  readonly onRead: (bytes: number) => void;
}

/** Where a feed's rows go. Every row of a file is answered by exactly one of `prefix`, `range`, `unknown`, `reject`. */
export interface ClaimSink<C = Claim> {
  /** Interns a claim. Call it once per distinct claim, not per row. */
  intern(claim: C): number;
  /** Inserts a prefix row. `prefix` may be reused by the caller afterwards. */
  prefix(layer: number, prefix: Prefix, claimId: number, position: number): void;
  /** Inserts a range row, both ends inclusive and of the same family, `start` <= `end`. */
  range(layer: number, start: Address, end: Address, claimId: number, position: number): void;
  /** A row that says nothing (only placeholders): kept, counted, not inserted. */
  unknown(): void;
  /** A row that the publisher wrote and we refuse. `position` is a 1-based line or a byte offset. */
  reject(reason: Reason, position: number, excerpt: string): void;
  /** Something odd about a row that is kept. Does not count the row. */
  note(note: Note): void;
}

/**
 * One published source. A constant of this shape; adding a feed is a file, a fixture folder and a catalogue line.
 */
export interface Feed {
  readonly id: FeedId;
  readonly publisher: string;
  readonly licence: Licence;
  readonly files: readonly FeedFile[];
  /** How often the publisher renews it, for people. */
  readonly cadence: string;
  /** Raised with every change that makes the same files read differently; part of the cache key. */
  readonly version: number;
  /** Share of rejected rows of one file, 0..1, above which that file is refused. */
  readonly tolerance: number;
  /** IPv4-mapped rows (::ffff:0:0/96) are folded to IPv4, for a feed without an IPv4 file; else they are dropped. */
  readonly foldMapped?: boolean;
  /** Names of the layers rows go to, the first wins. One layer for a feed without inner precedence. */
  readonly layers: readonly string[];
  /** Joins what the layers say about one network; a pure function. Entry i belongs to layer i. */
  combine(claims: readonly (Claim | undefined)[]): Claim | undefined;
  /**
   * Reads every row of every file into the sink, calling `sinkFor(file)` once per file before its first row.
   * Throws FeedError (with the file's id) when a file is unusable as a whole.
   */
  read(files: readonly OpenFile[], sinkFor: (file: OpenFile) => ClaimSink): Promise<void>;
}
