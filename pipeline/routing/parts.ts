import type { Links } from '../bgp/topology.js';
import type { Schema } from '../mmdb/schema.js';
import type { RecordList } from '../mmdb/write.js';
import type { AsNames, Delegations, PeeringDb, Registry } from '../registry/registries.js';
import type { FlatTable } from '../table/flat-table.js';
import type { Neighbour, RouteTable } from './route-table.js';

/** Everything the routing datasets are made from. A source that was not there tonight is absent. */
export interface RoutingParts {
  readonly routes: RouteTable;
  readonly links: Links;
  readonly delegations: Delegations | undefined;
  readonly asNames: AsNames | undefined;
  readonly peeringDb: PeeringDb | undefined;
}

/** Who an AS is. The country is the registry's, else that of the AS names. */
export interface NetworkIdentity {
  /** First word of its line in the AS names. */
  readonly name?: string;
  /** The rest of that line: the registered entity. */
  readonly entity?: string;
  readonly country?: string;
  readonly registry?: Registry;
}

/** What is known about AS numbers; the same objects for the same number, so that records can share them. */
export interface NetworkDirectory {
  identityOf(asn: number): NetworkIdentity;
  /** Neighbours of all kinds by power, at most 20 (`bgp.peers` of the API). */
  neighboursOf(asn: number): readonly Neighbour[];
  /** Carrier line of a route: static overlay, else origin, else first upstream. */
  lineOf(routes: RouteTable, route: number): string | undefined;
}

/** A dataset ready to be written. */
export interface RoutingDataset {
  readonly table: FlatTable;
  readonly records: RecordList;
  readonly schema: Schema;
  readonly databaseType: string;
  readonly description: Readonly<Record<string, string>>;
}
