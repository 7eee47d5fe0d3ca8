import { namesNoCountry, parseCountry } from '../input/names/iso3166.js';
import type { Tally } from '../input/tally.js';
import type { PeeringObject } from '../input/peeringdb/objects.js';
import type { PeeringObjects } from './peeringdb-objects.js';
import type { PeeringDb, PeeringNetwork, PeeringPlace } from './registries.js';

/**
 * Joins objects with their parents, and adds the networks of `typed` that have no object. Omits objects with a missing
 * parent (deleted, or outside an extract), noted as `unresolved`, and connections that are not operational, noted as
 * `skipped`.
 */
export function joinObjects(objects: PeeringObjects, typed: readonly PeeringNetwork[] = []): PeeringDb {
  const { net, fac, ix } = objects;
  const lans = lansOf(objects);
  const published = inOrder(net.byId).map(networkOf);
  const known = new Set(published.map(({ asn }) => asn));
  const networks = [...published, ...typed.filter(({ asn }) => !known.has(asn))];
  return {
    networks,
    facilities: inOrder(fac.byId).map((place) => placeOf(place, fac.tally)),
    exchanges: inOrder(ix.byId).map((place) => placeOf(place, ix.tally)),
    exchangePrefixes: prefixesOf(objects, new Map(lans.map((lan) => [lan.id, lan.ix_id]))),
    connections: connectionsOf(objects),
    routeServers: routeServersOf({ networks, ixlan: objects.ixlan }, lans),
  };
}

const ROUTE_SERVER = 'Route Server';
/** Types of networks that carry traffic. A network of such a type is not a route server. */
const OPERATORS: ReadonlySet<string> = new Set(['NSP', 'Content', 'Cable/DSL/ISP', 'Enterprise']);

function inOrder<T extends { readonly id: number }>(byId: ReadonlyMap<number, T>): T[] {
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

function networkOf({ asn, name, aka, info_type, website }: PeeringObject<'net'>): PeeringNetwork {
  return {
    asn,
    name,
    ...(aka !== '' && { aka }),
    ...(info_type !== '' && { infoType: info_type }),
    ...(website !== '' && { website }),
  };
}

function placeOf({ id, name, city, country }: PeeringObject<'fac' | 'ix'>, tally?: Tally): PeeringPlace {
  const code = parseCountry(country);
  if (code === undefined && !namesNoCountry(country)) tally?.note('unknown');
  return { id, name, ...(city !== '' && { city }), ...(code !== undefined && { country: code }) };
}

function lansOf({ ix, ixlan }: PeeringObjects): PeeringObject<'ixlan'>[] {
  return inOrder(ixlan.byId).filter((lan) => {
    const hasParent = ix.byId.has(lan.ix_id);
    if (!hasParent) ixlan.tally?.note('unresolved');
    return hasParent;
  });
}

function prefixesOf(
  { ixpfx }: PeeringObjects,
  exchangeByLan: ReadonlyMap<number, number>,
): PeeringDb['exchangePrefixes'] {
  return inOrder(ixpfx.byId).flatMap(({ ixlan_id, prefix }) => {
    const exchange = exchangeByLan.get(ixlan_id);
    if (exchange !== undefined) return [{ exchange, prefix }];
    ixpfx.tally?.note('unresolved');
    return [];
  });
}

function connectionsOf({ net, ix, netixlan }: PeeringObjects): PeeringDb['connections'] {
  return inOrder(netixlan.byId).flatMap(({ net_id, ix_id, asn, speed, operational }) => {
    const hasParents = net.byId.has(net_id) && ix.byId.has(ix_id);
    if (hasParents && operational) return [{ asn, exchange: ix_id, speed }];
    netixlan.tally?.note(hasParents ? 'skipped' : 'unresolved');
    return [];
  });
}

/**
 * Returns the AS numbers of route servers: networks of that type, and the route servers that exchanges name for their
 * LANs. The latter are ignored, and noted as `conflict`, if the network has a type of OPERATORS: route servers are
 * removed from paths, which would hide all links of an operator.
 */
function routeServersOf(
  { networks, ixlan }: Pick<PeeringObjects, 'ixlan'> & Pick<PeeringDb, 'networks'>,
  lans: readonly PeeringObject<'ixlan'>[],
): number[] {
  const typeOf = new Map(networks.map(({ asn, infoType }) => [asn, infoType]));
  const found = new Set([...typeOf].filter(([, type]) => type === ROUTE_SERVER).map(([asn]) => asn));
  for (const { rs_asn } of lans) {
    if (rs_asn === null || rs_asn === undefined || rs_asn === 0) continue;
    if (OPERATORS.has(typeOf.get(rs_asn) ?? '')) ixlan.tally?.note('conflict');
    else found.add(rs_asn);
  }
  return [...found].sort((a, b) => a - b);
}
