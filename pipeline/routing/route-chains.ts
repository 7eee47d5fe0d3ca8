import type { Draft } from '../mmdb/present.js';
import { formatPrefix } from '../net/prefix.js';
import { RPKI_STATES } from '../registry/registries.js';
import type { NetworkDirectory } from './parts.js';
import { RouteLists } from './route-lists.js';
import type { OriginRecord, RouteRecord, UpstreamRecord } from './route-schema.js';
import type { RouteTable } from './route-table.js';

/** Turns routes into records, each with its covering routes as parents. */
export class RouteChains {
  readonly #routes: RouteTable;
  readonly #directory: NetworkDirectory;
  readonly #origins: RouteLists<OriginRecord>;
  readonly #upstreams: RouteLists<UpstreamRecord>;
  /** Recent parents: routes inside the same route follow each other. */
  readonly #parents = new Map<number, RouteRecord>();

  constructor(routes: RouteTable, directory: NetworkDirectory) {
    this.#routes = routes;
    this.#directory = directory;
    this.#origins = originLists(routes);
    this.#upstreams = upstreamLists(routes);
  }

  /** Returns a new record of a route, to which the caller may add fields. Its parent is shared with other records. */
  at(route: number): Draft<RouteRecord> {
    const { addresses, lengths, parents } = this.#routes;
    const prefix = formatPrefix(addresses.subarray(4 * route, 4 * route + 4), lengths[route]!);
    const record: Draft<RouteRecord> = { prefix };
    const origins = this.#origins.at(route);
    if (origins.length > 0) this.#addOrigins(record, origins);
    const upstreams = this.#upstreams.at(route);
    if (upstreams.length > 0) record.upstreams = upstreams;
    const line = this.#directory.lineOf(this.#routes, route);
    if (line !== undefined) record.line = line;
    const parent = parents[route]!;
    if (parent >= 0) record.parent = this.#parentAt(parent);
    return record;
  }

  #addOrigins(record: Draft<RouteRecord>, origins: readonly OriginRecord[]): void {
    const { asn, rpki } = origins[0]!;
    record.origin = asn;
    record.origins = origins;
    if (rpki !== undefined) record.rpki = rpki;
    const { name, country } = this.#directory.identityOf(asn);
    if (name !== undefined) record.as_name = name;
    if (country !== undefined) record.as_country = country;
    const neighbours = this.#directory.neighboursOf(asn);
    if (neighbours.length > 0) record.neighbours = neighbours;
  }

  #parentAt(route: number): RouteRecord {
    let record = this.#parents.get(route);
    if (record === undefined) {
      record = this.at(route);
      if (this.#parents.size >= PARENTS_KEPT) this.#parents.clear();
      this.#parents.set(route, record);
    }
    return record;
  }
}

const PARENTS_KEPT = 1 << 16;

function originLists(routes: RouteTable): RouteLists<OriginRecord> {
  const { originStarts, originAsns, originPeers, originRpki } = routes;
  const columns = [originAsns, originPeers, originRpki];
  return new RouteLists({ starts: originStarts, columns }, (i) => originAt(routes, i));
}

/** Returns the entry of the origin columns at a position. */
export function originAt(
  { originAsns, originPeers, originRpki }: RouteTable,
  position: number,
): OriginRecord {
  const origin = { asn: originAsns[position]!, peers: originPeers[position]! };
  const rpki = RPKI_STATES[originRpki[position]!];
  return rpki === undefined ? origin : { ...origin, rpki };
}

function upstreamLists(routes: RouteTable): RouteLists<UpstreamRecord> {
  const { upstreamStarts, upstreamAsns, upstreamCounts } = routes;
  const columns = [upstreamAsns, upstreamCounts];
  return new RouteLists({ starts: upstreamStarts, columns }, (i) => upstreamAt(routes, i));
}

/** Returns the entry of the upstream columns at a position. */
export function upstreamAt({ upstreamAsns, upstreamCounts }: RouteTable, position: number): UpstreamRecord {
  return { asn: upstreamAsns[position]!, count: upstreamCounts[position]! };
}
