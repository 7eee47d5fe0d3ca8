import type { ListClaim } from '../lists/list-claim.js';
import type { ListTable } from '../lists/collect-list.js';
import type { Schema } from '../mmdb/schema.js';
import type { RecordList } from '../mmdb/write.js';
import type { FlatTable } from '../table/flat-table.js';
import type { IspRecord } from './isp-record.js';

/** One list as the merge takes it. */
export interface ListInput extends ListTable {
  readonly id: string;
  /** Day of the copy, in days since 1970: what rows without a date of their own were last seen on. */
  readonly day: number;
  /** Day on which the publisher last handed out a file of it, or said that it holds; that of the copy by default. */
  readonly renewed?: number;
  /** Day against which ages are reckoned: the build's, live; else the newest day that the list itself knows. */
  readonly today: number;
  readonly maxAgeDays: number;
}

/** One list's word on an address, its date filled in. */
export interface Hit {
  readonly list: string;
  readonly claim: ListClaim;
  /** Days since 1970. */
  readonly lastSeen: number;
  /** Days between that and the day against which the list's ages are reckoned, 0 and more. */
  readonly ageDays: number;
  /** The same of the list's copy, which may be younger than the row. */
  readonly copyAgeDays: number;
}

/** What is known about an address besides the hits. */
export interface Surroundings {
  /** AS that announces it. */
  readonly asn: number | undefined;
  /** PeeringDB's type of that network (`NSP`, `Cable/DSL/ISP`, `Educational/Research` …). */
  readonly networkType: string | undefined;
}

/** What the lists come to. Absent is unknown. */
export interface ServiceVerdict {
  /** The type that won, also one that makes no proxy. */
  readonly type?: string;
  readonly isProxy: boolean;
  /** List whose type won. */
  readonly decidedBy?: string;
  /** Brand of the winning type. */
  readonly provider?: string;
  readonly usageType?: string;
  /** In the order SPAM, SCANNER, BOTNET, then others by name. */
  readonly threats: readonly string[];
  /** 0..99. */
  readonly fraudScore?: number;
  /** Days since 1970, the latest of the lists that agree on the type. */
  readonly lastSeen?: number;
  readonly cloud?: { readonly provider: string; readonly service?: string; readonly region?: string };
  readonly isCloudIdc: boolean;
  /** What became of hits that did not count, `<list> <why>`: `edge`, `allowed`, `expired`. */
  readonly dropped: readonly string[];
}

/** Who announces addresses, as `asn.mmdb` has it. */
export interface OriginTable {
  readonly table: FlatTable;
  readonly records: readonly Origin[];
}

export interface Origin {
  readonly asn: number;
  /** The registered entity. */
  readonly organisation?: string;
  /** The network's short name. */
  readonly name?: string;
  readonly domain?: string;
}

/** ISPs as one geolocation feed spells them; a record without one says nothing. */
export interface IspTable {
  readonly feed: string;
  readonly table: FlatTable;
  readonly isps: readonly (string | undefined)[];
}

/** Everything that `isp.mmdb` is made from. */
export interface ServiceParts {
  readonly lists: readonly ListInput[];
  readonly origins: OriginTable | undefined;
  /** By AS number; PeeringDB's own words. */
  readonly networkTypes: ReadonlyMap<number, string>;
  /** In order of precedence. */
  readonly isps: readonly IspTable[];
}

/** A dataset ready to be written, and what was counted on the way. */
export interface ServiceDataset {
  readonly table: FlatTable;
  readonly records: RecordList;
  readonly schema: Schema;
  readonly databaseType: string;
  readonly description: Readonly<Record<string, string>>;
  readonly languages: readonly string[];
  /** By dotted names, for the manifest. */
  readonly counters: Readonly<Record<string, number>>;
}

/** The dataset of `isp.mmdb`. */
export interface IspDataset extends ServiceDataset {
  readonly records: IspRecords;
}

/** Records of `isp.mmdb` by id, each made when it is asked for. */
export interface IspRecords extends RecordList {
  at(id: number): IspRecord;
}
