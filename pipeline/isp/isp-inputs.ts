import type { ListTable } from '../lists/collect-list.js';
import type { FlatTable } from '../table/flat-table.js';

/** Everything that `isp.mmdb` is built from. */
export interface IspInputs {
  readonly lists: readonly ListInput[];
  /** Absent when there is no routing data. */
  readonly origins: OriginTable | undefined;
  /** PeeringDB's type of a network (`NSP`, `Cable/DSL/ISP`, `Educational/Research` …) by AS number. */
  readonly networkTypes: ReadonlyMap<number, string>;
  /** ISP names of the geolocation feeds, in order of precedence. */
  readonly feeds: readonly IspTable[];
}

/** One list of proxies, threats or clouds, with the days that date its rows. */
export interface ListInput extends ListTable {
  readonly id: string;
  /** Day of the copy, in days since 1970-01-01: the date of rows without a date of their own. */
  readonly day: number;
  /** Day on which the publisher last delivered or confirmed the file; `day` when absent. */
  readonly renewed?: number;
  /** Day that ages are counted to: the day of a live build, otherwise the newest day in the list. */
  readonly today: number;
  /** Days since `renewed` after which the whole list is left out. */
  readonly maxAgeDays: number;
}

/** Returns whether a list was not renewed within its maximum age, so that the build leaves it out. */
export function isOutdated({
  day,
  renewed = day,
  today,
  maxAgeDays,
}: Pick<ListInput, 'day' | 'renewed' | 'today' | 'maxAgeDays'>): boolean {
  return today - renewed > maxAgeDays;
}

/** The announcing ASes of networks, from `asn.mmdb`. */
export interface OriginTable {
  readonly table: FlatTable;
  readonly records: readonly Origin[];
}

/** An AS that announces networks. Absent fields are unknown. */
export interface Origin {
  readonly asn: number;
  /** The organisation that holds the AS. */
  readonly organisation?: string;
  /** The short name of the network (`CHINANET-BACKBONE`). */
  readonly name?: string;
  readonly domain?: string;
}

/** ISP names as one geolocation feed spells them, by record id; undefined where the feed names no ISP. */
export interface IspTable {
  readonly feed: string;
  readonly table: FlatTable;
  readonly isps: readonly (string | undefined)[];
}
