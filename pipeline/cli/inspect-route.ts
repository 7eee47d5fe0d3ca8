import { commonBits, newAddress, type Address } from '../net/address.js';
import { formatPrefix, lastAddressInto, parsePrefix } from '../net/prefix.js';
import type { Release } from '../release/release-store.js';
import { openFile, type InspectedFile } from './inspect-file.js';
import { networkOf } from './inspect-network.js';
import {
  asnSchema,
  routeSchema,
  type AllocationRecord,
  type AsnRecord,
  type RouteRecord,
} from './inspect-records.js';
import type { AddressTarget, PrefixTarget } from './inspect-target.js';
import type { ReservedBlock } from './reserved-block.js';

/** The known names of the AS numbers in an answer. */
export type NetworkNames = Readonly<Record<number, string>>;

/** The data of the routing datasets for an address. */
export interface AddressRouting {
  /** The most specific route, with its covering routes and the allocation. */
  readonly route?: RouteRecord;
  /** Whether the release has a routing table. */
  readonly hasRoutes: boolean;
  readonly asn?: AsnRecord;
  readonly names: NetworkNames;
}

/** The data of a release for a prefix. */
export interface PrefixInspection {
  readonly prefix: string;
  /** The text had host bits set. */
  readonly hadHostBits: boolean;
  readonly release: string;
  /** Present when the whole prefix is in special-purpose space. */
  readonly reserved?: ReservedBlock;
  /** Absent when the release has no routes.mmdb. */
  readonly routing?: {
    /** The route of exactly this prefix. */
    readonly announced?: RouteRecord;
    /** The most specific route that covers it. */
    readonly coveredBy?: RouteRecord;
    /** The most specific allocation that contains all of it. */
    readonly allocation?: AllocationRecord;
    readonly names: NetworkNames;
  };
}

/** Looks up an address in the routing datasets; absent when the release has none. Throws ReleaseError. */
export function inspectRouting(target: AddressTarget, release: Release): AddressRouting | undefined {
  const routes = openFile(release, 'routes.mmdb');
  const asns = openFile(release, 'asn.mmdb');
  if (!routes && !asns) return undefined;
  const route = routes?.lookupAs(routeSchema, target.address, target.family)?.record;
  const asn = asns?.lookupAs(asnSchema, target.address, target.family)?.record;
  const names = namesIn(route, openFile(release, 'networks.mmdb'));
  return { ...(route && { route }), hasRoutes: routes !== undefined, ...(asn && { asn }), names };
}

/**
 * Finds the route of a prefix, even if more specific routes cover all of its addresses: it is among the parents of the
 * route of any address in it. Throws ReleaseError when a file is damaged.
 */
export function inspectPrefix(target: PrefixTarget, release: Release): PrefixInspection {
  const { address, length, family, hadHostBits } = target;
  const prefix = formatPrefix(address, length, family);
  const inspection = { prefix, hadHostBits, release: release.id };
  const routes = openFile(release, 'routes.mmdb');
  if (!routes) return inspection;
  // The first address alone is not enough: it may be in reserved space or in a smaller allocation.
  const found = [address, lastAddressOf(address, length)]
    .map((end) => routes.lookupAs(routeSchema, end, family)?.record)
    .filter((record) => record !== undefined);
  const around = found.flatMap(chainOf).filter((route) => covers(route.prefix, target));
  const announced = around.find((route) => route.prefix === prefix);
  const coveredBy = around.find((route) => route.prefix !== prefix);
  const allocation = found
    .flatMap((record) => record.allocation ?? [])
    .find((held) => covers(held.prefix, target));
  return {
    ...inspection,
    routing: {
      ...(announced && { announced }),
      ...(coveredBy && { coveredBy }),
      ...(allocation && { allocation }),
      names: namesIn(announced ?? coveredBy, openFile(release, 'networks.mmdb')),
    },
  };
}

/** Returns a route and its covering routes, the most specific first; empty for a record without a route. */
export function chainOf(record: RouteRecord): RouteRecord[] {
  const chain: RouteRecord[] = [];
  for (let route: RouteRecord | undefined = record; route; route = route.parent) {
    if (route.prefix !== undefined) chain.push(route);
  }
  return chain;
}

/** Whether the prefix contains all of the target. */
function covers(text: string | undefined, { address, length, family }: PrefixTarget): boolean {
  const prefix = text === undefined ? undefined : parsePrefix(text);
  if (prefix?.family !== family || prefix.length > length) return false;
  return commonBits(prefix.address, address) >= prefix.length;
}

function lastAddressOf(address: Address, length: number): Address {
  const last = newAddress();
  lastAddressInto(address, length, last);
  return last;
}

/** Returns the names of all ASes in a record and its covering routes, from the record or else from networks.mmdb. */
function namesIn(record: RouteRecord | undefined, networks: InspectedFile | undefined): NetworkNames {
  const names: Record<number, string> = {};
  for (const route of record ? [record, ...chainOf(record)] : []) {
    const { origin, origins, as_name, upstreams, neighbours, allocation } = route;
    if (origin !== undefined && as_name !== undefined) names[origin] = as_name;
    for (const { asn, name } of neighbours ?? []) if (name !== undefined) names[asn] = name;
    const mentioned = [...(origins ?? []), ...(upstreams ?? [])].map(({ asn }) => asn);
    if (allocation?.registered_as !== undefined) mentioned.push(allocation.registered_as);
    for (const asn of mentioned) {
      const name = names[asn] ?? (networks && networkOf(asn, networks)?.name);
      if (name !== undefined) names[asn] = name;
    }
  }
  return names;
}
