import type { ReleaseStatus } from './release-status.js';
import type { Coverage, CoverageLevel, Manifest, PeeringIndex } from '../../pipeline/release/contract.js';
import type {
  AnnouncerRecord,
  NetworkRecord,
  PlaceRecord,
  RoutedRecord,
  IspRecord,
  VerdictRecord,
} from './records.js';

/** A table of records by address. */
export interface AddressTable<Record> {
  /** Returns the record of an address. Not validated: `ip` must pass `net.isIP` and have no zone. */
  get(ip: string): Record | undefined;
}

/** The numbers of an address's records in the tables of the IP record; 0 for none. Equal numbers are equal records. */
export interface Located {
  readonly place: number;
  readonly isp: number;
  readonly announcer: number;
  readonly route: number;
}

/** Finds the records of an address in all tables of the IP record at once. */
export interface AnswerTable {
  /** Returns the numbers of an address's records. The result is valid until the next call. */
  find(ip: string): Located;
}

/** API names of the files that customers download. */
export const DATASET_NAMES = ['mmdb', 'asn', 'isp'] as const;
/** API name of a downloadable file. */
export type DatasetName = (typeof DATASET_NAMES)[number];

/** A file that is sent as it is. */
export interface SentFile {
  /** Absolute path in the release's own folder, not through `current`. */
  readonly path: string;
  /** The name under which it is sent. */
  readonly filename: string;
  readonly sizeBytes: number;
  /** Modification time, seconds since 1970. */
  readonly modified: number;
  readonly sha256: string;
  /** Only of an edition: what follows the first bytes of the file at `path`. */
  readonly ending?: Ending;
}

/** A file at one end of a delta. */
interface DeltaEnd {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A delta from one file of a dataset to the next. */
export interface DeltaFile extends SentFile {
  /** The serial of the file that it leads to. */
  readonly serial: number;
  readonly from: DeltaEnd;
  readonly to: DeltaEnd;
  /** The number of changed places. */
  readonly changes: number;
  /** The same changes as CSV without a header, compressed with gzip. */
  readonly rows: SentFile;
}

/** The files of a dataset one after the other, as RRDP (RFC 8182) numbers them, and the deltas to the current one. */
export interface DatasetSequence {
  readonly session: string;
  readonly serial: number;
  /** Contiguous, the oldest first. */
  readonly deltas: readonly DeltaFile[];
}

/** A file that customers download: one of a release, or an edition of one. */
export interface DatasetFile extends SentFile {
  /** Absolute path in the release's own folder, not through `current`. */
  readonly path: string;
  /** Database type without compatible ones: `ipatlas-City`, or that of the edition. */
  readonly type: string;
  /** Download name with the build date: `ipatlas-geo-20261121.mmdb`. */
  readonly filename: string;
  readonly sizeBytes: number;
  /** Modification time, seconds since 1970. */
  readonly modified: number;
  readonly sha256: string;
  /** Absent in releases from before editions. */
  readonly md5?: string;
  readonly buildEpoch: number;
  readonly nodeCount: number;
  readonly ipVersion: 4 | 6;
  readonly languages: readonly string[];
  /** Only of an edition: what follows the first bytes of the file at `path`. */
  readonly ending?: Ending;
}

/** The end of an edition. */
export interface Ending {
  /** Size of the file that the edition begins with. */
  readonly fileBytes: number;
  /** Bytes of it that belong to the edition. */
  readonly bodyBytes: number;
  /** The bytes after them: the metadata. */
  readonly bytes: Buffer;
}

/** A dataset that customers download, with its editions and its origin. */
export interface Dataset extends DatasetFile {
  /** By type. The first is the file itself. */
  readonly editions: ReadonlyMap<string, DatasetFile>;
  readonly origin: DatasetOrigin;
  readonly sequence: DatasetSequence;
}

/** The sources of a dataset and what they cover. */
export interface DatasetOrigin {
  readonly terms: Manifest['files'][number]['terms'];
  /** The licences of its sources that are inputs of the build. */
  readonly licences: readonly SourceLicence[];
  readonly attributions: readonly string[];
  readonly coverage: Covered;
  /** The file that the API answers from: its further sources, and its coverage. Absent without that file. */
  readonly served?: { readonly furtherSources: readonly string[]; readonly coverage: Covered };
}

/** The licence of a source. */
export interface SourceLicence {
  readonly source: string;
  readonly publisher: string;
  readonly name: string;
  readonly url: string;
}

/** The address space of a file, in total and by the finest level of its places. */
export interface Covered {
  readonly all: Coverage;
  /** Absent for files without places. */
  readonly byLevel?: Partial<Readonly<Record<CoverageLevel, Coverage>>>;
}

/** A search of networks and facilities by AS number or part of a name, ignoring case (decision 38). */
export interface PeeringSearch {
  /**
   * Returns at most 20 of each: the network of that number first, then matching names in index order. `query` is
   * trimmed.
   */
  find(query: string): PeeringIndex;
}

/**
 * A loaded release: all tables and indexes, frozen. A request takes the snapshot once and passes it on, so an answer
 * never mixes two releases. Tables that a release was built without are empty, never absent.
 */
export interface Snapshot extends RecordTables {
  /** The release's id. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly buildEpoch: number;
  readonly answers: AnswerTable;
  readonly peering: PeeringSearch;
  readonly datasets: ReadonlyMap<DatasetName, Dataset>;
  /** What went into the release, and how good it is. */
  readonly status: ReleaseStatus;
}

/** The tables of a release that records are made from. */
export interface RecordTables {
  readonly places: AddressTable<PlaceRecord>;
  readonly isp: AddressTable<IspRecord>;
  readonly announcers: AddressTable<AnnouncerRecord>;
  readonly routes: AddressTable<RoutedRecord>;
  /** By feed id, in the order of the manifest. */
  readonly verdicts: ReadonlyMap<string, AddressTable<VerdictRecord>>;
  /** Returns the record of an AS. */
  networkOf(asn: number): NetworkRecord | undefined;
}

/** A release that cannot be served: incomplete, damaged, of another format, or with wrong answers. */
export class ReleaseRefused extends Error {
  override readonly name = 'ReleaseRefused';

  constructor(
    /** Path of the file in the release's folder; `current` for the link. */
    readonly file: string,
    /** Without the file. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${reason}`, options);
  }
}
