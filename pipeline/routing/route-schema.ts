import { arrayOf, map, type MapSchema, type Schema } from '../mmdb/schema.js';
import type { PeeringPlace, RpkiState } from '../registry/registries.js';
import { ALLOCATION_SCHEMA, type AllocationRecord } from './allocation-records.js';
import { EXCHANGE_SCHEMA } from './route-exchanges.js';
import type { Neighbour } from './route-table.js';

/** A route as a parent: the next covering route is inside it, so the chain ends at the outermost one. */
const ROUTE_SCHEMA: MapSchema = map({
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
 * A record of `routes.mmdb`: the longest route around the network, its covering routes as a chain of `parent`s
 * (pointers to what the file holds once), and what registries and PeeringDB say of the address. What is not known
 * has no key; where there is no route, only `allocation` and `exchange` are there.
 */
export const ROUTES_SCHEMA: MapSchema = map({
  ...ROUTE_SCHEMA.fields,
  allocation: ALLOCATION_SCHEMA,
  exchange: EXCHANGE_SCHEMA,
});

/** An AS that announces a route, and how many peers see it there. */
export interface OriginRecord {
  readonly asn: number;
  readonly peers: number;
  readonly rpki?: RpkiState;
}

/** A hop left of the origin, and in how many observed paths. */
export interface UpstreamRecord {
  readonly asn: number;
  readonly count: number;
}

/** A route as it is written. Routes inside the same one share its object. */
export interface RouteRecord {
  readonly prefix: string;
  /** The AS that announces it: of several, the one that most peers see. */
  readonly origin?: number;
  readonly origins?: readonly OriginRecord[];
  /** State of the primary origin. */
  readonly rpki?: RpkiState;
  /** Name and country of the primary origin. */
  readonly as_name?: string;
  readonly as_country?: string;
  /** Hops left of the origin and observed paths, the most first. */
  readonly upstreams?: readonly UpstreamRecord[];
  readonly neighbours?: readonly Neighbour[];
  readonly line?: string;
  readonly parent?: RouteRecord;
}

/** A record as it is written. */
export interface AddressRecord extends Partial<RouteRecord> {
  readonly allocation?: AllocationRecord;
  readonly exchange?: PeeringPlace;
}
