import type { Links } from '../bgp/topology.js';
import type { Schema } from '../mmdb/schema.js';
import type { RecordList } from '../mmdb/write.js';
import type { ObservedAses, Observer } from '../registry/observed-ases.js';
import type { AsNames, Delegations, PeeringDb, Registry } from '../registry/registries.js';
import type { FlatTable } from '../table/flat-table.js';
import type { Neighbour, RouteTable } from './route-table.js';

/** The input of the routing datasets. Missing sources are undefined. */
export interface RoutingParts {
  readonly routes: RouteTable;
  readonly links: Links;
  readonly delegations: Delegations | undefined;
  readonly asNames: AsNames | undefined;
  readonly peeringDb: PeeringDb | undefined;
  /** The ASes of addresses according to other publishers, in order of precedence; empty without any. */
  readonly observed: readonly ObservedAses[];
}

/** The identity of an AS. */
export interface NetworkIdentity {
  /** The handle in the AS names (`CHINANET-BACKBONE`); the organisation when they have none. */
  readonly name?: string;
  /** The organisation that holds it. Absent when no source names one. */
  readonly entity?: string;
  /** The registry's country, else the country in the AS names. */
  readonly country?: string;
  readonly registry?: Registry;
}

/** Facts about AS numbers. Returns the same objects for the same number, which records can share. */
export interface NetworkDirectory {
  identityOf(asn: number): NetworkIdentity;
  /** Returns at most 20 neighbours of all kinds by power (`bgp.peers` in the API). */
  neighboursOf(asn: number): readonly Neighbour[];
  /** Returns the carrier line of a route: by the static overlay, else by origin, else by first upstream. */
  lineOf(routes: RouteTable, route: number): string | undefined;
}

/** The origin of an AS in `asn.mmdb`: a route, or the publisher that observed it. */
export type AsSource = 'routes' | Observer;

/** A dataset in the form that is written to an MMDB file. */
export interface RoutingDataset {
  readonly table: FlatTable;
  readonly records: RecordList;
  readonly schema: Schema;
  readonly databaseType: string;
  readonly description: Readonly<Record<string, string>>;
}
