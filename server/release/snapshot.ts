import type { PeeringIndex } from '../../pipeline/release/contract.js';
import type {
  AnnouncerRecord,
  NetworkRecord,
  PlaceRecord,
  RoutedRecord,
  ServiceRecord,
  VerdictRecord,
} from './records.js';

/** Records by address. */
export interface AddressTable<Record> {
  /** The record of an address; `ip` has passed `net.isIP` and has no zone: readers check nothing. */
  get(ip: string): Record | undefined;
}

/** Names of the files that customers download. */
export const DATASET_NAMES = ['mmdb', 'asn', 'isp'] as const;
export type DatasetName = (typeof DATASET_NAMES)[number];

/** A file that customers download. */
export interface DatasetFile {
  /** Absolute, inside the release's own folder and not through `current`. */
  readonly path: string;
  /** With the build's date: `ipatlas-geo-20261121.mmdb`. */
  readonly filename: string;
  readonly sizeBytes: number;
  /** Seconds since 1970. */
  readonly modified: number;
  readonly sha256: string;
  readonly buildEpoch: number;
  readonly nodeCount: number;
  readonly ipVersion: 4 | 6;
  readonly languages: readonly string[];
}

/** Networks and facilities, searched by AS number or by a part of a name, whatever its case (ruling 38). */
export interface PeeringSearch {
  /**
   * At most 20 of each. `query` is trimmed. The network of that number comes first, then names in the order of the index.
   */
  find(query: string): PeeringIndex;
}

/**
 * One release as it is served: all readers and indexes, frozen. A request takes the snapshot once and passes it on, so
 * no answer mixes two releases. Tables of what a release was built without are empty, never absent.
 */
export interface Snapshot {
  /** The release's id. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly buildEpoch: number;
  readonly places: AddressTable<PlaceRecord>;
  readonly services: AddressTable<ServiceRecord>;
  readonly announcers: AddressTable<AnnouncerRecord>;
  readonly routes: AddressTable<RoutedRecord>;
  /** By feed id, in the order of the manifest. */
  readonly verdicts: ReadonlyMap<string, AddressTable<VerdictRecord>>;
  networkOf(asn: number): NetworkRecord | undefined;
  readonly peering: PeeringSearch;
  readonly datasets: ReadonlyMap<DatasetName, DatasetFile>;
}
