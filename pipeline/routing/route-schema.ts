import { arrayOf, map, type MapSchema, type Schema } from '../mmdb/schema.js';
import type { PeeringPlace, RpkiState } from '../registry/registries.js';
import { ALLOCATION_SCHEMA, type AllocationRecord } from './allocation-records.js';
import { EXCHANGE_SCHEMA } from './route-exchanges.js';
import type { Neighbour } from './route-table.js';

/** The schema of a route as a parent. Its own parent is the next covering route; the outermost route has none. */
export const ROUTE_SCHEMA: MapSchema = map({
  prefix: 'string',
  origin: 'uint32',
  origins: arrayOf(map({ asn: 'uint32', peers: 'uint32', rpki: 'string' })),
  rpki: 'string',
  as_name: 'string',
  as_country: 'string',
  upstreams: arrayOf(map({ asn: 'uint32', count: 'uint32' })),
  neighbours: arrayOf(map({ asn: 'uint32', name: 'string' })),
  line: 'string',
  get parent(): Schema {
    return ROUTE_SCHEMA;
  },
});

/**
 * The record schema of `routes.mmdb`: the longest route of the network, its covering routes as a chain of `parent`s
 * (MMDB pointers, so each is written once), and the data of registries and PeeringDB. Unknown fields are absent.
 * Without a route only `allocation`, `exchange` and `line` may be present.
 */
export const ROUTES_SCHEMA: MapSchema = map({
  ...ROUTE_SCHEMA.fields,
  allocation: ALLOCATION_SCHEMA,
  exchange: EXCHANGE_SCHEMA,
});

/** An AS that announces a route, and the number of peers with this origin. */
export interface OriginRecord {
  readonly asn: number;
  readonly peers: number;
  readonly rpki?: RpkiState;
}

/** An upstream of a route, and the number of observed paths with it. */
export interface UpstreamRecord {
  readonly asn: number;
  readonly count: number;
}

/** A route as written. Routes inside the same route share its object. */
export interface RouteRecord {
  readonly prefix: string;
  /** The primary origin: of several announcing ASes, the one with the most peers. */
  readonly origin?: number;
  readonly origins?: readonly OriginRecord[];
  /** The state of the primary origin. */
  readonly rpki?: RpkiState;
  /** The name and country of the primary origin. */
  readonly as_name?: string;
  readonly as_country?: string;
  /** The hops before the origin, sorted by descending number of paths. */
  readonly upstreams?: readonly UpstreamRecord[];
  readonly neighbours?: readonly Neighbour[];
  readonly line?: string;
  readonly parent?: RouteRecord;
}

/** A record as written. */
export interface AddressRecord extends Partial<RouteRecord> {
  readonly allocation?: AllocationRecord;
  readonly exchange?: PeeringPlace;
}
