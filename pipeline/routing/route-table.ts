import { RPKI_STATES, type RpkiState } from '../registry/registries.js';

/**
 * The publicly visible prefixes of a RIB, in columns. In address order, a covering prefix before those inside it. The
 * lists of prefix p are rows `…Starts[p]` up to (not including) `…Starts[p + 1]`.
 */
export interface RouteTable {
  readonly count: number;
  /** Four words per prefix. */
  readonly addresses: Uint32Array;
  /** In bits of the 128-bit space (IPv4 is at ::/96, so 96..128). */
  readonly lengths: Uint8Array;
  /** The position of the longest covering prefix in this table; -1 if there is none. */
  readonly parents: Int32Array;
  /** The number of peers with the prefix. */
  readonly peers: Uint32Array;
  readonly originStarts: Uint32Array;
  /**
   * Origins by descending number of peers, then ascending AS number; the first is the primary one. None if all paths
   * end in sets.
   */
  readonly originAsns: Uint32Array;
  /** The number of peers with this origin. */
  readonly originPeers: Uint32Array;
  /** The position in RPKI_STATES; NOT_JUDGED without VRPs. */
  readonly originRpki: Uint8Array;
  readonly upstreamStarts: Uint32Array;
  /** The hops before the origin, by descending number of paths, then ascending AS number. */
  readonly upstreamAsns: Uint32Array;
  /** The number of observed paths, one per peer and path identifier. */
  readonly upstreamCounts: Uint32Array;
}

/** In place of a position in RPKI_STATES: no state. `RPKI_STATES[NOT_JUDGED]` is undefined. */
export const NOT_JUDGED = RPKI_STATES.length;

/** The numbers of prefixes that were kept and dropped, by property and reason. */
export interface RouteCounts {
  /** Kept prefixes. */
  readonly prefixes: number;
  readonly ipv4: number;
  readonly ipv6: number;
  /** Prefixes with more than one origin. */
  readonly moas: number;
  /** Prefixes without a known origin: all paths end in a set. */
  readonly withoutOrigin: number;
  /** By the state of the primary origin; prefixes without an origin or without VRPs are not counted. */
  readonly rpki: Readonly<Record<RpkiState, number>>;
  readonly dropped: {
    /** Too few of the family's full-feed peers have the prefix. */
    readonly visibility: number;
    readonly defaultRoute: number;
    /** Longer than /24 or /48. */
    readonly tooLong: number;
    /** In special-purpose space. */
    readonly reserved: number;
    /** Every origin is a private or reserved AS number. */
    readonly reservedOrigin: number;
  };
}

/** A provider, customer or peer of an AS. */
export interface Neighbour {
  readonly asn: number;
  /** Absent if unknown. */
  readonly name?: string;
}
