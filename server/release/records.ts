/**
 * The fields of a release's records that the server reads. A test checks them against the pipeline's types. Absent
 * means unknown, or false. Records are shared between requests and never changed.
 */

export type { AnnouncerRecord, IspRecord, Names, PlaceRecord } from '../../pipeline/record/records.js';

/** A record of `sources/<feed>.mmdb`: the verdict of one feed. */
export interface VerdictRecord {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly region_name?: string;
  readonly region_zh?: string;
  readonly city?: string;
  readonly city_zh?: string;
  readonly isp?: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

/** RPKI validation state of a route (RFC 6811). */
export type RpkiState = 'valid' | 'invalid' | 'unknown';

/** An announced prefix. `parent` is the next covering prefix. */
export interface RouteRecord {
  readonly prefix: string;
  /** The origin that most peers see. */
  readonly origin?: number;
  readonly rpki?: RpkiState;
  readonly as_name?: string;
  readonly as_country?: string;
  /** The AS before the origin with its number of observed paths, in descending order. */
  readonly upstreams?: readonly { readonly asn: number; readonly count: number }[];
  readonly neighbours?: readonly { readonly asn: number; readonly name?: string }[];
  readonly line?: string;
  readonly parent?: RouteRecord;
}

/** A record of `routes.mmdb`. Without `prefix` when no route covers the address. */
export interface RoutedRecord extends Partial<RouteRecord> {
  readonly allocation?: {
    readonly prefix: string;
    /** ISO 3166-1 alpha-2. */
    readonly country?: string;
    readonly registry?: string;
    readonly status?: string;
    readonly registered_as?: number;
  };
  /** The exchange with this address in its peering LAN. */
  readonly exchange?: ExchangeRecord;
}

/** An Internet exchange. `id` is PeeringDB's. */
export interface ExchangeRecord {
  readonly id: number;
  readonly name: string;
  readonly city?: string;
  readonly country?: string;
}

/** A neighbour of an AS. */
export interface NeighbourRecord {
  readonly asn: number;
  /** Number of distinct AS paths with both ASes side by side. */
  readonly power: number;
  readonly name?: string;
}

/** A record of `networks.mmdb`. */
export interface NetworkRecord {
  readonly asn: number;
  readonly name?: string;
  readonly entity?: string;
  readonly country?: string;
  /** arin, ripe, apnic, lacnic or afrinic. */
  readonly registry?: string;
  readonly status?: string;
  readonly in_use: boolean;
  readonly ipv4_prefixes?: readonly string[];
  readonly ipv6_prefixes?: readonly string[];
  readonly topology?: {
    readonly upstreams?: readonly NeighbourRecord[];
    readonly downstreams?: readonly NeighbourRecord[];
    readonly peers?: readonly NeighbourRecord[];
  };
  readonly exchanges?: readonly ExchangeRecord[];
}
