import { formatPrefix } from '../net/prefix.js';
import { RPKI_STATES } from '../registry/registries.js';
import type { NetworkDirectory } from './parts.js';
import { RouteLists } from './route-lists.js';
import type { AddressRecord, OriginRecord, RouteRecord, UpstreamRecord } from './route-schema.js';
import type { RouteTable } from './route-table.js';

/** A record that is being put together: its keys are set one by one, there are more than a million. */
export type RecordDraft = { -readonly [Key in keyof AddressRecord]: AddressRecord[Key] };
type RouteDraft = { -readonly [Key in keyof RouteRecord]: RouteRecord[Key] };

/** Makes routes into records, each with its covering routes inside. */
export class RouteChains {
  readonly #routes: RouteTable;
  readonly #directory: NetworkDirectory;
  readonly #origins: RouteLists<OriginRecord>;
  readonly #upstreams: RouteLists<UpstreamRecord>;
  /** Routes asked for as parents lately: those inside one route come one after the other. */
  readonly #parents = new Map<number, RouteRecord>();

  constructor(routes: RouteTable, directory: NetworkDirectory) {
    this.#routes = routes;
    this.#directory = directory;
    this.#origins = originLists(routes);
    this.#upstreams = upstreamLists(routes);
  }

  /** A new record of a route, for the caller to add to; its parent is shared. */
  at(route: number): RouteDraft {
    const { addresses, lengths, parents } = this.#routes;
    const prefix = formatPrefix(addresses.subarray(4 * route, 4 * route + 4), lengths[route]!);
    const record: RouteDraft = { prefix };
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

  #addOrigins(record: RouteDraft, origins: readonly OriginRecord[]): void {
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

function originLists({
  originStarts,
  originAsns,
  originPeers,
  originRpki,
}: RouteTable): RouteLists<OriginRecord> {
  return new RouteLists({ starts: originStarts, columns: [originAsns, originPeers, originRpki] }, (i) => {
    const origin = { asn: originAsns[i]!, peers: originPeers[i]! };
    const rpki = RPKI_STATES[originRpki[i]!];
    return rpki === undefined ? origin : { ...origin, rpki };
  });
}

function upstreamLists({
  upstreamStarts,
  upstreamAsns,
  upstreamCounts,
}: RouteTable): RouteLists<UpstreamRecord> {
  return new RouteLists({ starts: upstreamStarts, columns: [upstreamAsns, upstreamCounts] }, (i) => ({
    asn: upstreamAsns[i]!,
    count: upstreamCounts[i]!,
  }));
}
