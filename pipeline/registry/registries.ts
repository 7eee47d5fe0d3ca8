/** The regional registries; columns contain positions in this list. Published files call `ripe` `ripencc`. */
export const REGISTRIES = ['afrinic', 'apnic', 'arin', 'lacnic', 'ripe'] as const;
/** A regional internet registry. */
export type Registry = (typeof REGISTRIES)[number];

/** The statuses of delegations; columns contain positions in this list. */
export const DELEGATED_STATUSES = ['allocated', 'assigned'] as const;
/** The status of a delegation. */
export type DelegatedStatus = (typeof DELEGATED_STATUSES)[number];

/** A block of addresses that a registry delegated. Countries are ISO 3166-1 alpha-2. */
export interface Allocation {
  /** Four words. */
  readonly address: Uint32Array;
  /** In bits of the 128-bit space. */
  readonly length: number;
  readonly registry: Registry;
  readonly status: DelegatedStatus;
  readonly country?: string;
  /** An id of the holder, unique within the registry. */
  readonly holder?: string;
}

/** An AS number that a registry delegated. */
export interface AsnDelegation {
  readonly asn: number;
  readonly registry: Registry;
  readonly status: DelegatedStatus;
  readonly country?: string;
  /** ISO date. */
  readonly date?: string;
  /** An id of the holder, unique within the registry. */
  readonly holder?: string;
}

/** The delegations in the statistics of the five registries. */
export interface Delegations {
  /** Distinct blocks in address order, covering blocks first. Blocks that are not a prefix are split. */
  readonly allocations: {
    readonly count: number;
    at(index: number): Allocation;
  };
  asn(asn: number): AsnDelegation | undefined;
  /** All delegated AS numbers, ascending. */
  readonly asns: Uint32Array;
}

/**
 * The name, entity and country of an AS (`asn.txt`): `ASN-TELSTRA`, `Telstra Corporation Ltd`, `AU`. Without an entity the
 * name is a handle (`COMCAST-7922`) or the entity (`Telecom Argentina S.A.`). An entity may be an address or a remark.
 */
export interface AsName {
  readonly name: string;
  readonly entity?: string;
  readonly country?: string;
}

/** Names by AS number. Numbers with a placeholder such as `-Reserved AS-` have none. */
export interface AsNames {
  nameOf(asn: number): AsName | undefined;
  /** AS numbers with a name, ascending. */
  readonly asns: Uint32Array;
}

/** The RPKI states of routes (RFC 6811); columns contain positions in this list. */
export const RPKI_STATES = ['valid', 'invalid', 'unknown'] as const;
/** The RPKI state of a route. */
export type RpkiState = (typeof RPKI_STATES)[number];

/** Validated ROA payloads, for the validation of routes (RFC 6811). */
export interface Vrps {
  readonly count: number;
  /**
   * Returns the state of a route. `length` is in bits of the 128-bit space. A route without an origin (its path ended
   * in a set) is never valid.
   */
  stateOf(address: Uint32Array, length: number, origin: number | undefined): RpkiState;
}

/** The objects of PeeringDB with status "ok", sorted by id; then networks of which only type and name are known. */
export interface PeeringDb {
  readonly networks: readonly PeeringNetwork[];
  readonly facilities: readonly PeeringPlace[];
  readonly exchanges: readonly PeeringPlace[];
  /** The prefixes of exchanges' peering LANs. */
  readonly exchangePrefixes: readonly { readonly exchange: number; readonly prefix: string }[];
  /** Operational connections of networks to exchanges; speed in Mbit/s. */
  readonly connections: readonly {
    readonly asn: number;
    readonly exchange: number;
    readonly speed: number;
  }[];
  /** The AS numbers of route servers: from `info_type` Route Server and `rs_asn`. */
  readonly routeServers: readonly number[];
}

/** A network of PeeringDB. */
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
