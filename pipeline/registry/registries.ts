/** Regional registries by position: columns hold the position. `ripe` is what `ripencc` is called on the wire. */
export const REGISTRIES = ['afrinic', 'apnic', 'arin', 'lacnic', 'ripe'] as const;
export type Registry = (typeof REGISTRIES)[number];

/** Statuses of what is delegated, by position. */
export const DELEGATED_STATUSES = ['allocated', 'assigned'] as const;
export type DelegatedStatus = (typeof DELEGATED_STATUSES)[number];

/** A block of addresses that a registry has delegated; `countries` are ISO 3166-1 alpha-2. */
export interface Allocation {
  /** Four words. */
  readonly address: Uint32Array;
  /** Bits of the 128-bit space. */
  readonly length: number;
  readonly registry: Registry;
  readonly status: DelegatedStatus;
  readonly country?: string;
  /** Equal ids within one registry: one holder. */
  readonly holder?: string;
}

/** An AS number that a registry has delegated. */
export interface AsnDelegation {
  readonly asn: number;
  readonly registry: Registry;
  readonly status: DelegatedStatus;
  readonly country?: string;
  /** ISO date. */
  readonly date?: string;
  /** Equal ids within one registry: one holder. */
  readonly holder?: string;
}

/** What the five registries' statistics say. */
export interface Delegations {
  /** Distinct blocks, in address order, covering ones first; odd counts are split into prefixes. */
  readonly allocations: {
    readonly count: number;
    at(index: number): Allocation;
  };
  asn(asn: number): AsnDelegation | undefined;
  /** All delegated AS numbers, ascending. */
  readonly asns: Uint32Array;
}

/** A name of an AS (`asn.txt`): `CHINANET-BACKBONE`, `No.31,Jin-rong Street`, `CN`. */
export interface AsName {
  readonly name: string;
  readonly entity?: string;
  readonly country?: string;
}

/** Names by AS number; absent where there is none, and for `-Reserved AS-` and the like. */
export interface AsNames {
  nameOf(asn: number): AsName | undefined;
  /** AS numbers with a name, ascending. */
  readonly asns: Uint32Array;
}

export const RPKI_STATES = ['valid', 'invalid', 'unknown'] as const;
export type RpkiState = (typeof RPKI_STATES)[number];

/** Validated ROA payloads, ready to judge routes (RFC 6811). */
export interface Vrps {
  readonly count: number;
  /**
   * The state of a route. `length` is in bits of the 128-bit space; no origin (the path ended in a set) is never valid.
   */
  stateOf(address: Uint32Array, length: number, origin: number | undefined): RpkiState;
}

/** PeeringDB, objects with status "ok" only; arrays by id. */
export interface PeeringDb {
  readonly networks: readonly PeeringNetwork[];
  readonly facilities: readonly PeeringPlace[];
  readonly exchanges: readonly PeeringPlace[];
  /** Prefixes of exchanges' peering LANs. */
  readonly exchangePrefixes: readonly { readonly exchange: number; readonly prefix: string }[];
  /** Operational connections of networks to exchanges; speed in Mbit/s. */
  readonly connections: readonly {
    readonly asn: number;
    readonly exchange: number;
    readonly speed: number;
  }[];
  /** AS numbers of route servers: `info_type` Route Server, `rs_asn`. */
  readonly routeServers: readonly number[];
}

export interface PeeringNetwork {
  readonly asn: number;
  readonly name: string;
  readonly aka?: string;
  /** An open list: NSP, Content, Route Server, …. */
  readonly infoType?: string;
  /** As published. */
  readonly website?: string;
}

/** A facility or an exchange. */
export interface PeeringPlace {
  readonly id: number;
  readonly name: string;
  readonly city?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
}
