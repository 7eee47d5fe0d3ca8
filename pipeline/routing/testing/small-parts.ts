import { PEER, PROVIDER, type Links } from '../../bgp/topology.js';
import { compareAddresses } from '../../net/address.js';
import { parsePrefix } from '../../net/prefix.js';
import type { AsName, AsnDelegation, PeeringDb } from '../../registry/registries.js';
import type { ObservedAs, ObservedAses } from '../../registry/observed-ases.js';
import { PrefixTable } from '../../table/prefix-table.js';
import type { RoutingParts } from '../parts.js';
import type { RouteTable } from '../route-table.js';

/** A hand-written route: its origins and upstreams, the primary ones first. */
export interface SmallRoute {
  readonly origins?: readonly number[];
  readonly upstreams?: readonly number[];
}

/** A hand-written link: `[provider, '>', customer, power]` or `[peer, '-', peer, power]`. */
export type SmallLink = readonly [left: number, kind: '>' | '-', right: number, power: number];

/** Small hand-written input of the routing datasets; omitted sources are missing. */
export interface SmallParts {
  readonly routes?: Readonly<Record<string, SmallRoute>>;
  readonly links?: readonly SmallLink[];
  readonly delegations?: readonly AsnDelegation[];
  readonly names?: Readonly<Record<number, AsName>>;
  readonly peeringDb?: Partial<PeeringDb>;
}

/** Returns hand-written observed ASes by prefix. */
export function smallObservations(
  observer: ObservedAses['observer'],
  ases: Readonly<Record<string, ObservedAs>>,
): ObservedAses {
  const table = new PrefixTable();
  Object.keys(ases).forEach((text, id) => {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  });
  return { observer, table: table.flatten(), ases: Object.values(ases) };
}

/** Returns the parts in columns. An even power belongs to IPv4, an odd one is split between both families. */
export function smallParts({ routes, links, delegations, names, peeringDb }: SmallParts): RoutingParts {
  const delegated = new Map(delegations?.map((delegation) => [delegation.asn, delegation]));
  const named = new Map(Object.entries(names ?? {}).map(([asn, name]) => [Number(asn), name]));
  return {
    routes: smallRoutes(routes ?? {}),
    links: smallLinks(links ?? []),
    delegations: delegations && {
      allocations: {
        count: 0,
        at: () => {
          throw new RangeError('no allocations');
        },
      },
      asn: (asn) => delegated.get(asn),
      asns: Uint32Array.from(delegated.keys()).sort(),
    },
    observed: [],
    asNames: names && { nameOf: (asn) => named.get(asn), asns: Uint32Array.from(named.keys()).sort() },
    peeringDb: peeringDb && {
      networks: [],
      facilities: [],
      exchanges: [],
      exchangePrefixes: [],
      connections: [],
      routeServers: [],
      ...peeringDb,
    },
  };
}

/** Returns routes in address order, without parents, with ten peers and RPKI state unknown. */
export function smallRoutes(routes: Readonly<Record<string, SmallRoute>>): RouteTable {
  const rows = Object.entries(routes)
    .map(([text, { origins = [], upstreams = [] }]) => ({ ...parsePrefix(text)!, origins, upstreams }))
    .sort((a, b) => compareAddresses(a.address, b.address) || a.length - b.length);
  const origins = rows.flatMap((row) => row.origins);
  const upstreams = rows.flatMap((row) => row.upstreams);
  return {
    count: rows.length,
    addresses: Uint32Array.from(rows.flatMap(({ address }) => [...address])),
    lengths: Uint8Array.from(rows, ({ length }) => length),
    parents: new Int32Array(rows.length).fill(-1),
    peers: new Uint32Array(rows.length).fill(10),
    originStarts: startsOf(rows.map((row) => row.origins.length)),
    originAsns: Uint32Array.from(origins),
    originPeers: new Uint32Array(origins.length).fill(10),
    originRpki: new Uint8Array(origins.length).fill(2),
    upstreamStarts: startsOf(rows.map((row) => row.upstreams.length)),
    upstreamAsns: Uint32Array.from(upstreams),
    upstreamCounts: Uint32Array.from(upstreams, (_, i) => upstreams.length - i),
  };
}

/** Returns links in the order of the columns. */
export function smallLinks(links: readonly SmallLink[]): Links {
  const rows = [...links].sort((a, b) => a[0] - b[0] || a[2] - b[2]);
  const kinds = Uint8Array.from(rows, ([, kind]) => (kind === '>' ? PROVIDER : PEER));
  const power6 = Uint32Array.from(rows, ([, , , power]) => (power % 2 === 0 ? 0 : power >>> 1));
  return {
    left: Uint32Array.from(rows, ([left]) => left),
    right: Uint32Array.from(rows, ([, , right]) => right),
    kinds,
    kinds4: kinds,
    kinds6: kinds.map((kind, i) => (power6[i] === 0 ? 0 : kind)),
    power: Uint32Array.from(rows, ([, , , power]) => power),
    power4: Uint32Array.from(rows, ([, , , power], i) => power - power6[i]!),
    power6,
    vantagePoints: new Uint16Array(rows.length).fill(1),
    uncertain: Uint8Array.from(rows, ([, , , power]) => (power === 1 ? 1 : 0)),
  };
}

function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, i) => (starts[i + 1] = starts[i]! + length));
  return starts;
}
