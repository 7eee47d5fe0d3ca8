/** A data set of a publisher: its identity, licence, and files. Feeds, lists and routing sources extend it. */
export interface PublishedSource {
  readonly id: string;
  readonly publisher: string;
  readonly licence: Licence;
  readonly files: readonly PublishedFile[];
  /** How often the publisher updates it, as text for readers. */
  readonly cadence: string;
  /** Raised when the same files are read differently. Part of the cache key. */
  readonly version: number;
  /** The share of rejected rows of one file, 0..1, above which the file is refused. */
  readonly tolerance: number;
}

/** The licence of a data set. */
export interface Licence {
  readonly name: string;
  readonly url: string;
  /** The attribution line that the publisher requires, if any. */
  readonly attribution?: string;
  readonly terms: Terms;
}

/**
 * The conditions for downloadable files that contain the data. `free`: none, or an attribution line. `share-alike`: the
 * whole file must have the same licence (CC BY-SA). `closed`: only with the publisher's consent. `unstated`: the
 * publisher states no terms, so the data is not included.
 */
export type Terms = (typeof TERMS)[number];
export const TERMS = ['free', 'share-alike', 'closed', 'unstated'] as const;

/** Where and how a file is downloaded. */
export interface Download {
  /**
   * An https URL. `{NAME}` is replaced by the environment variable NAME (a token, never logged or written to
   * manifests), `{yyyy}` and `{mm}` by the current month in UTC, or by the previous month if the current file is not
   * available yet.
   */
  readonly url: string;
  /**
   * The publication interval in hours, counted from midnight UTC, of a file that never changes. `{yyyy}`, `{mm}`,
   * `{dd}` and `{hh}` are the last publication time, or an earlier one within a day if that file is not available yet.
   */
  readonly everyHours?: number;
  /** The environment variables with user name and password for HTTP Basic authentication. */
  readonly basicAuth?: readonly [user: string, password: string];
  /**
   * The URL of the SHA-256 of the file in the format of `sha256sum`. Has the placeholders and authentication of
   * `url`.
   */
  readonly sha256Url?: string;
  /** The URL of the MD5 of the file in the format of `md5sum` or BSD `md5`, without placeholders. */
  readonly md5Url?: string;
  /**
   * A pattern for the https URL of the file, for a file with a new URL in every edition: `url` is then a page that
   * links to it. When several links match, the last one by file name is downloaded.
   */
  readonly link?: RegExp;
  /** The name under which the file is stored, when neither the URL nor Content-Disposition has it. */
  readonly saveAs?: string;
  /**
   * The URL is a zip of many files, stored as `saveAs`. The entries whose path ends with a matching name are stored as
   * single files. Several files may share one such download.
   */
  readonly archive?: 'zip';
  /** The minimum size in bytes. Smaller downloads are rejected. */
  readonly minBytes: number;
  /** The maximum size in bytes, if it differs from the maximum of all downloads. */
  readonly maxBytes?: number;
  /** The minimum number of hours between two downloads that the publisher asks for. */
  readonly pauseHours?: number;
  /** Checks the whole text of a small file. Returns the problem, if any; the download is then rejected. */
  readonly refuse?: (text: string) => string | undefined | Promise<string | undefined>;
  /** The file to download when this one is not available. */
  readonly fallback?: Fallback;
}

/** Another file with the same content in the same container. Its URL has no placeholders. */
export interface Fallback {
  readonly url: string;
  /** The name under which the file is stored in the same folder. */
  readonly saveAs: string;
  readonly minBytes: number;
}

/** The container of a published file; `plain` means no container. */
export type Container = 'zip' | 'gz' | 'bz2' | 'plain';

/** A file of a published source, or with `*` in its name a family of files. */
export interface PublishedFile {
  /** The folder in the input directory, usually the id of the source. Two sources may read the same files. */
  readonly folder: string;
  /** The file name as published. `*` matches any characters except `/`. */
  readonly name: string;
  readonly container: Container;
  /** Whether the source cannot be read without the file. */
  readonly required: boolean;
  /** Which of several matching files are read: all, or the last by name in each folder (dated snapshots). */
  readonly take: 'all' | 'latest';
  /** The names of other declared files of the folder with the same content. This file is not missing if one exists. */
  readonly alternatives?: readonly string[];
  /** The share of rejected rows, 0..1, above which this file is refused. By default that of the source. */
  readonly tolerance?: number;
  /**
   * The file is written by the people who run the build. Every bad row is left out and reported with its line; the
   * tolerance does not apply, because a refusal would bring back an older edition.
   */
  readonly handWritten?: true;
  /** The maximum size in bytes, unpacked; for a zip, of each entry. By default DEFAULT_UNPACKED_BYTES. */
  readonly maxUnpackedBytes?: number;
  /**
   * The maximum age in days of a copy that could not be refreshed; an older one is left out. By default that of the list
   * that the file belongs to, else none.
   */
  readonly maxAgeDays?: number;
  /** Absent for a file that is only provided by hand. */
  readonly download?: Download;
}

/** A file of a snapshot. Its content never changes. */
export interface OpenFile {
  /** `<folder>/<name>`, for messages and the manifest. */
  readonly id: string;
  readonly folder: string;
  readonly name: string;
  readonly container: Container;
  /** The path of the file on disk. */
  readonly path: string;
  readonly sizeBytes: number;
  /** The maximum size in bytes, unpacked; for a zip, of each entry. A larger file is refused as `too-large`. */
  readonly maxUnpackedBytes: number;
  /** Present if the file is written by the people who run the build: all its bad rows are reported. */
  readonly handWritten?: true;
  /** Called with the number of further (packed) bytes read, for progress. */
  readonly onRead: (bytes: number) => void;
}
