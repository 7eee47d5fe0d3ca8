import type { ObservedAses } from '../registry/observed-ases.js';
import type { FlatTable } from '../table/flat-table.js';
import { relabel } from '../table/relabel.js';
import { ABSENT, zip } from '../table/zip.js';
import type { AsSource } from './parts.js';
import { primaryOrigin, routeNetworks } from './route-networks.js';
import type { RouteTable } from './route-table.js';

/** Networks by announcing AS. Record id i means `asns[i]` according to `sources[i]`; each pair occurs once. */
export interface AnnouncingAses {
  readonly table: FlatTable;
  readonly asns: readonly number[];
  readonly sources: readonly AsSource[];
}

/** Returns the AS of every address: the primary origin of the longest route, else the first observed AS. */
export function announcingAses(routes: RouteTable, observed: readonly ObservedAses[]): AnnouncingAses {
  const origins = originNetworks(routes);
  const ases = new AsList();
  const table = zip([origins.table, ...observed.map((one) => one.table)], (ids) => {
    if (ids[0] !== ABSENT) return ases.idOf(origins.asns[ids[0]!]!, 'routes');
    for (let i = 0; i < observed.length; i++) {
      const id = ids[i + 1]!;
      if (id !== ABSENT) return ases.idOf(observed[i]!.ases[id]!.asn, observed[i]!.observer);
    }
    return ABSENT;
  });
  return { table, asns: ases.asns, sources: ases.sources };
}

/** Returns networks by the primary origin of their longest route; none where it is unknown. */
function originNetworks(routes: RouteTable): { readonly table: FlatTable; readonly asns: readonly number[] } {
  const ases = new AsList();
  const ids = new Int32Array(routes.count);
  for (let route = 0; route < routes.count; route++) {
    const origin = primaryOrigin(routes, route);
    ids[route] = origin === undefined ? ABSENT : ases.idOf(origin, 'routes');
  }
  // There are far fewer origins than routes, and so fewer combinations of them with observed ASes.
  return { table: relabel(routeNetworks(routes), ids), asns: ases.asns };
}

/** Distinct pairs of AS number and source, in the order in which they are first seen. */
class AsList {
  readonly asns: number[] = [];
  readonly sources: AsSource[] = [];
  readonly #ids = new Map<AsSource, Map<number, number>>();

  idOf(asn: number, source: AsSource): number {
    let ids = this.#ids.get(source);
    if (!ids) this.#ids.set(source, (ids = new Map<number, number>()));
    let id = ids.get(asn);
    if (id === undefined) {
      this.sources.push(source);
      ids.set(asn, (id = this.asns.push(asn) - 1));
    }
    return id;
  }
}
