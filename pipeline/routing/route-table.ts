import { RPKI_STATES, type RpkiState } from '../registry/registries.js';

/**
 * The prefixes of a RIB that are announced for all to see, in columns; in address order, a covering one before those
 * inside it. Lists of one prefix stand in a row: those of prefix p are `…Starts[p]` up to (not including) `…Starts[p + 1]`.
 */
export interface RouteTable {
  readonly count: number;
  /** Four words each. */
  readonly addresses: Uint32Array;
  /** Bits of the 128-bit space (IPv4 at ::/96, so 96..128). */
  readonly lengths: Uint8Array;
  /** The longest prefix of this table that covers it; -1 where there is none. */
  readonly parents: Int32Array;
  /** How many peers see it. */
  readonly peers: Uint32Array;
  readonly originStarts: Uint32Array;
  /** Origins, the primary one first: by number of peers, ties by the lower AS number. None where all paths end in sets. */
  readonly originAsns: Uint32Array;
  /** Peers that see this origin. */
  readonly originPeers: Uint32Array;
  /** Position in RPKI_STATES; NOT_JUDGED where there were no VRPs. */
  readonly originRpki: Uint8Array;
  readonly upstreamStarts: Uint32Array;
  /** Hops left of the origin: the most paths first, ties by the lower AS number. */
  readonly upstreamAsns: Uint32Array;
  /** Observed paths, one per peer and path identifier. */
  readonly upstreamCounts: Uint32Array;
}

/** Stands for no RPKI state: `RPKI_STATES[NOT_JUDGED]` is absent. */
export const NOT_JUDGED = RPKI_STATES.length;

/** How the RIB became the table; every drop is counted. All are prefixes. */
export interface RouteCounts {
  /** Of the table. */
  readonly prefixes: number;
  readonly ipv4: number;
  readonly ipv6: number;
  /** More than one origin. */
  readonly moas: number;
  /** An origin that cannot be told: all paths end in a set. */
  readonly withoutOrigin: number;
  /** By the state of the primary origin; those without origin, or not judged, are in none. */
  readonly rpki: Readonly<Record<RpkiState, number>>;
  readonly dropped: {
    /** Seen by too few of the family's full-feed peers. */
    readonly visibility: number;
    readonly defaultRoute: number;
    /** Longer than /24 or /48. */
    readonly tooLong: number;
    /** Special-purpose space. */
    readonly reserved: number;
    /** Every origin is a private or reserved AS number. */
    readonly reservedOrigin: number;
  };
}

/** A neighbour of an AS, of whatever kind. */
export interface Neighbour {
  readonly asn: number;
  /** Absent where no name is known. */
  readonly name?: string;
}
