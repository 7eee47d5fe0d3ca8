import type { Columns } from '../table/column-file.js';

/** The link is customer to provider: `left` is the provider of `right`. */
export const PROVIDER = 1;
/** The link is peer to peer; `left` < `right`. */
export const PEER = 2;
/** In `kinds4` and `kinds6` alone: this family has the two the other way round, `right` is the provider of `left`. */
export const CUSTOMER = 3;

/** Links between ASes, one per unordered pair, sorted by (left, right). Counts are of distinct sanitised paths. */
export const LINK_COLUMNS = {
  left: 'u32',
  right: 'u32',
  /** PROVIDER or PEER, as the family with more paths says. */
  kinds: 'u8',
  /** What each family alone says: PROVIDER, PEER or CUSTOMER; 0 where the link was not seen in it. */
  kinds4: 'u8',
  kinds6: 'u8',
  /** Distinct paths in which the two stand side by side, both families in one interning (`power` of the API). */
  power: 'u32',
  power4: 'u32',
  power6: 'u32',
  /** Distinct vantage points (first ASes) that saw it. */
  vantagePoints: 'u16',
  /** 1 where it was seen only between a vantage point and its next hop. */
  uncertain: 'u8',
} as const;
export type Links = Columns<typeof LINK_COLUMNS>;

/** What became of the distinct raw paths on their way to the links. */
export interface PathCounts {
  readonly paths: number;
  readonly prepended: number;
  /** Dropped by reason; the rest was used. */
  readonly dropped: {
    readonly sets: number;
    readonly confederations: number;
    readonly loops: number;
    readonly reserved: number;
    readonly short: number;
    /** In every family that saw them. */
    readonly poisoned: number;
  };
  /** Paths a route server was taken out of. */
  readonly routeServers: number;
}

/** One family's inference: how it was made. */
export interface InferenceReport {
  readonly method: 'as-rank' | 'gao';
  readonly fullFeedVantagePoints: number;
  readonly clique: readonly number[];
  readonly links: number;
}

/** AS relationships out of a RIB's paths. */
export interface Topology {
  readonly links: Links;
  readonly counts: PathCounts;
  readonly ipv4: InferenceReport;
  readonly ipv6: InferenceReport;
}
