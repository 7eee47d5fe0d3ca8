import { formatPrefix } from '../net/prefix.js';
import { RPKI_STATES } from '../registry/registries.js';
import type { NetworkDirectory } from './parts.js';
import { primaryOrigin } from './route-networks.js';
import type { OriginRecord, RouteRecord } from './route-schema.js';
import type { RouteTable } from './route-table.js';

/** Makes routes into records, each with its covering routes inside. */
export class RouteChains {
  readonly #routes: RouteTable;
  readonly #directory: NetworkDirectory;
  /** Routes asked for as parents lately: those inside one route come one after the other. */
  readonly #parents = new Map<number, RouteRecord>();

  constructor(routes: RouteTable, directory: NetworkDirectory) {
    this.#routes = routes;
    this.#directory = directory;
  }

  /** The record of a route; of the same parent the same object, as far as it is kept. */
  at(route: number): RouteRecord {
    const { addresses, lengths, parents, originRpki, originStarts } = this.#routes;
    const prefix = formatPrefix(addresses.subarray(4 * route, 4 * route + 4), lengths[route]!);
    const upstreams = this.#upstreamsOf(route);
    const line = this.#directory.lineOf(this.#routes, route);
    const parent = parents[route]!;
    const origin = primaryOrigin(this.#routes, route);
    const rpki = origin === undefined ? undefined : RPKI_STATES[originRpki[originStarts[route]!]!];
    return {
      prefix,
      ...(origin !== undefined && { origin, origins: this.#originsOf(route), ...this.#networkOf(origin) }),
      ...(rpki !== undefined && { rpki }),
      ...(upstreams.length > 0 && { upstreams }),
      ...(line !== undefined && { line }),
      ...(parent >= 0 && { parent: this.#parentAt(parent) }),
    };
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

  #originsOf(route: number): OriginRecord[] {
    const { originStarts, originAsns, originPeers, originRpki } = this.#routes;
    const origins: OriginRecord[] = [];
    for (let i = originStarts[route]!; i < originStarts[route + 1]!; i++) {
      const rpki = RPKI_STATES[originRpki[i]!];
      origins.push({ asn: originAsns[i]!, peers: originPeers[i]!, ...(rpki !== undefined && { rpki }) });
    }
    return origins;
  }

  #networkOf(origin: number): Pick<RouteRecord, 'as_name' | 'as_country' | 'neighbours'> {
    const { name, country } = this.#directory.identityOf(origin);
    const neighbours = this.#directory.neighboursOf(origin);
    return {
      ...(name !== undefined && { as_name: name }),
      ...(country !== undefined && { as_country: country }),
      ...(neighbours.length > 0 && { neighbours }),
    };
  }

  #upstreamsOf(route: number): { asn: number; count: number }[] {
    const { upstreamStarts, upstreamAsns, upstreamCounts } = this.#routes;
    const upstreams: { asn: number; count: number }[] = [];
    for (let i = upstreamStarts[route]!; i < upstreamStarts[route + 1]!; i++) {
      upstreams.push({ asn: upstreamAsns[i]!, count: upstreamCounts[i]! });
    }
    return upstreams;
  }
}

const PARENTS_KEPT = 1 << 16;
