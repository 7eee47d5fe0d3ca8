import { noLinks } from '../../bgp/topology.js';
import { parsePrefix } from '../../net/prefix.js';
import type { Allocation, AsnDelegation, Delegations, Vrps } from '../../registry/registries.js';
import { FlatTable } from '../../table/flat-table.js';
import type { NetworkDirectory, NetworkIdentity, RoutingParts } from '../parts.js';
import type { Neighbour } from '../route-table.js';
import { summariseRoutes } from '../summarise-routes.js';
import { smallRib } from './small-rib.js';

/** Returns parts with the routes of a `smallRib`, without reserved space, route servers and other sources. */
export function partsOfRib(
  entries: Readonly<Record<string, readonly string[]>>,
  more: Partial<RoutingParts> = {},
  vrps?: Vrps,
): RoutingParts {
  const reserved = FlatTable.empty();
  const { routes } = summariseRoutes({ rib: smallRib(entries), routeServers: new Set(), vrps, reserved });
  return {
    routes,
    links: noLinks(),
    delegations: undefined,
    asNames: undefined,
    peeringDb: undefined,
    observed: [],
    ...more,
  };
}

/** Hand-written delegations: blocks by prefix, AS numbers. */
export function smallDelegations(
  blocks: Readonly<Record<string, Omit<Allocation, 'address' | 'length'>>>,
  asns: readonly AsnDelegation[] = [],
): Delegations {
  const allocations = Object.entries(blocks).map(([text, block]) => {
    const { address, length } = parsePrefix(text)!;
    return { ...block, address, length };
  });
  return {
    allocations: { count: allocations.length, at: (index) => allocations[index]! },
    asn: (asn) => asns.find((delegation) => delegation.asn === asn),
    asns: Uint32Array.from(asns, ({ asn }) => asn).sort(),
  };
}

/** The content of a hand-written directory. */
export interface SmallDirectory {
  readonly identities?: Readonly<Record<number, NetworkIdentity>>;
  readonly neighbours?: Readonly<Record<number, readonly Neighbour[]>>;
  /** Lines by primary origin. */
  readonly lines?: Readonly<Record<number, string>>;
}

/** Returns a hand-written directory. */
export function smallDirectory({ identities, neighbours, lines }: SmallDirectory = {}): NetworkDirectory {
  return {
    identityOf: (asn) => identities?.[asn] ?? {},
    neighboursOf: (asn) => neighbours?.[asn] ?? [],
    lineOf: ({ originStarts, originAsns }, route) => lines?.[originAsns[originStarts[route]!]!],
  };
}
