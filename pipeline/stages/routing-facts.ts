import { inferTopology } from '../bgp/infer-topology.js';
import { loadRib, type Rib } from '../bgp/rib.js';
import { KNOWN_ROUTE_SERVERS } from '../bgp/route-servers.js';
import { PROVIDER, type Topology } from '../bgp/topology.js';
import type { SpecialPurposeRange } from '../net/special-purpose.js';
import { loadAsNames } from '../registry/as-names.js';
import { loadDelegations } from '../registry/delegations.js';
import { loadIanaRegistries } from '../registry/iana.js';
import { loadPeeringDb } from '../registry/peeringdb.js';
import type { Vrps } from '../registry/registries.js';
import { loadVrps } from '../registry/rpki.js';
import { countersIn } from '../release/routing-counters.js';
import type { RoutingParts } from '../routing/parts.js';
import type { RouteCounts, RouteTable } from '../routing/route-table.js';
import { summariseRoutes } from '../routing/summarise-routes.js';
import { reservedSpace } from '../table/reserved-space.js';

/** Folders of what was read of the routing sources, by source id; absent where nothing of one was usable. */
export type KeptSources = Readonly<Record<string, string | undefined>>;

/** Everything that was found out about routes and networks, and the counts on the way. */
export interface RoutingFacts {
  readonly parts: RoutingParts;
  readonly counters: Readonly<Record<string, number>>;
}

/**
 * Reads the RIB and the registries, infers relationships and judges routes. The RIB's columns, the largest of all, are
 * let go before this returns. Throws ColumnFileError.
 */
export function findRoutingFacts(rib: string, kept: KeptSources, tell: (text: string) => void): RoutingFacts {
  tell('loading');
  const peeringDb = loadedFrom(kept['peeringdb'], loadPeeringDb);
  const routeServers = new Set([...KNOWN_ROUTE_SERVERS, ...(peeringDb?.routeServers ?? [])]);
  const vrps = loadedFrom(kept['rpki'], loadVrps);
  const ranges = loadedFrom(kept['iana'], loadIanaRegistries)?.specialPurpose ?? [];
  const found = judgeRib(loadRib(rib), { routeServers, vrps, ranges, tell });
  const parts: RoutingParts = {
    routes: found.routes,
    links: found.topology.links,
    delegations: loadedFrom(kept['delegated'], loadDelegations),
    asNames: loadedFrom(kept['asnames'], loadAsNames),
    peeringDb,
  };
  return { parts, counters: { ...found.counters, ...(vrps && { vrps: vrps.count }) } };
}

interface RibContext {
  readonly routeServers: ReadonlySet<number>;
  readonly vrps: Vrps | undefined;
  readonly ranges: readonly SpecialPurposeRange[];
  readonly tell: (text: string) => void;
}

function judgeRib(
  rib: Rib,
  { routeServers, vrps, ranges, tell }: RibContext,
): { routes: RouteTable; topology: Topology; counters: Record<string, number> } {
  tell('inferring relationships');
  const topology = inferTopology(rib, { routeServers });
  tell('judging routes');
  const { routes, counts } = summariseRoutes({ rib, routeServers, vrps, reserved: reservedSpace(ranges) });
  const counters = {
    ...ribCounters(rib),
    ...routeCounters(routes, counts),
    ...topologyCounters(topology),
  };
  return { routes, topology, counters };
}

function loadedFrom<T>(dir: string | undefined, load: (dir: string) => T): T | undefined {
  return dir === undefined ? undefined : load(dir);
}

function ribCounters({ collectors, peers, prefixes, entries, paths }: Rib): Record<string, number> {
  const counts = {
    collectors: collectors.names.length,
    peers: peers.asns.length,
    vantagePoints: new Set(peers.asns).size,
    prefixes: prefixes.lengths.length,
    entries: entries.peers.length,
    paths: paths.flags.length,
  };
  return countersIn(counts, 'rib');
}

function routeCounters({ originAsns }: RouteTable, counts: RouteCounts): Record<string, number> {
  return countersIn({ ...counts, originAses: new Set(originAsns).size }, 'routes');
}

function topologyCounters({ links, counts, ipv4, ipv6 }: Topology): Record<string, number> {
  const provider = links.kinds.reduce((sum, kind) => sum + (kind === PROVIDER ? 1 : 0), 0);
  const uncertain = links.uncertain.reduce((sum, flag) => sum + flag, 0);
  const byFamily = Object.entries({ ipv4, ipv6 }).flatMap(([family, report]): [string, number][] => [
    [`topology.${family}.${report.method}`, report.links],
    [`fullFeeds.${family}`, report.fullFeedVantagePoints],
    [`clique.${family}`, report.clique.length],
  ]);
  return {
    ...countersIn({ provider, peer: links.kinds.length - provider, uncertain }, 'links'),
    ...countersIn(counts, 'paths'),
    ...Object.fromEntries(byFamily),
  };
}
