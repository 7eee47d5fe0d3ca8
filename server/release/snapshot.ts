import type { PeeringIndex } from '../../pipeline/release/contract.js';
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

/** API names of the files that customers download. */
export const DATASET_NAMES = ['mmdb', 'asn', 'isp'] as const;
/** API name of a downloadable file. */
export type DatasetName = (typeof DATASET_NAMES)[number];

/** A file that customers download. */
export interface DatasetFile {
  /** Absolute path in the release's own folder, not through `current`. */
  readonly path: string;
  /** Download name with the build date: `ipatlas-geo-20261121.mmdb`. */
  readonly filename: string;
  readonly sizeBytes: number;
  /** Modification time, seconds since 1970. */
  readonly modified: number;
  readonly sha256: string;
  readonly buildEpoch: number;
  readonly nodeCount: number;
  readonly ipVersion: 4 | 6;
  readonly languages: readonly string[];
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
export interface Snapshot {
  /** The release's id. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly buildEpoch: number;
  readonly places: AddressTable<PlaceRecord>;
  readonly isp: AddressTable<IspRecord>;
  readonly announcers: AddressTable<AnnouncerRecord>;
  readonly routes: AddressTable<RoutedRecord>;
  /** By feed id, in the order of the manifest. */
  readonly verdicts: ReadonlyMap<string, AddressTable<VerdictRecord>>;
  /** Returns the record of an AS. */
  networkOf(asn: number): NetworkRecord | undefined;
  readonly peering: PeeringSearch;
  readonly datasets: ReadonlyMap<DatasetName, DatasetFile>;
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
