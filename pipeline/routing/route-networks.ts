import type { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';
import type { RouteTable } from './route-table.js';

/** Returns the most specific route of every address; record ids are positions in the route table. */
export function routeNetworks({ count, addresses, lengths }: RouteTable): FlatTable {
  const table = new PrefixTable();
  const address = new Uint32Array(4);
  for (let route = 0; route < count; route++) {
    for (let word = 0; word < 4; word++) address[word] = addresses[4 * route + word]!;
    table.insert(address, lengths[route]!, route);
  }
  return table.flatten();
}

/** Returns the primary origin of a route: the origin with the most peers. Undefined if all paths end in sets. */
export function primaryOrigin({ originStarts, originAsns }: RouteTable, route: number): number | undefined {
  const first = originStarts[route]!;
  return first === originStarts[route + 1] ? undefined : originAsns[first];
}
