import type { Columns } from '../table/column-file.js';
import type { PathCounts } from './sanitise-paths.js';

/** Kind of a link: `left` is the provider of `right`. */
export const PROVIDER = 1;
/** Kind of a link: `left` and `right` are peers, and `left` < `right`. */
export const PEER = 2;
/** Kind of a link in `kinds4` and `kinds6` only: in this family `right` is the provider of `left`. */
export const CUSTOMER = 3;

/** Links between ASes, one per unordered pair, sorted by (left, right). Counts are of distinct sanitised paths. */
export const LINK_COLUMNS = {
  left: 'u32',
  right: 'u32',
  /** PROVIDER or PEER, from the family with more paths. */
  kinds: 'u8',
  /** By family: PROVIDER, PEER or CUSTOMER; 0 if no path of the family has the link. */
  kinds4: 'u8',
  kinds6: 'u8',
  /** Distinct paths with the link; a path of both families counts once (`power` in the API). */
  power: 'u32',
  power4: 'u32',
  power6: 'u32',
  /** Distinct vantage points (first ASes of paths) with the link. */
  vantagePoints: 'u16',
  /** 1 if the link occurs only between a vantage point and its next hop. */
  uncertain: 'u8',
} as const;

/** Links in the columns of LINK_COLUMNS. */
export type Links = Columns<typeof LINK_COLUMNS>;

/** Returns columns without links. */
export function noLinks(): Links {
  return {
    left: new Uint32Array(),
    right: new Uint32Array(),
    kinds: new Uint8Array(),
    kinds4: new Uint8Array(),
    kinds6: new Uint8Array(),
    power: new Uint32Array(),
    power4: new Uint32Array(),
    power6: new Uint32Array(),
    vantagePoints: new Uint16Array(),
    uncertain: new Uint8Array(),
  };
}

/** The method and size of one family's inference. */
export interface InferenceReport {
  readonly method: 'as-rank' | 'gao';
  readonly fullFeedVantagePoints: number;
  readonly clique: readonly number[];
  readonly links: number;
}

/** The AS relationships inferred from a RIB. */
export interface Topology {
  readonly links: Links;
  readonly counts: Readonly<PathCounts>;
  readonly ipv4: InferenceReport;
  readonly ipv6: InferenceReport;
}
