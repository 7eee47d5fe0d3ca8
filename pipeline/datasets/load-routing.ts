import { inferTopology } from '../bgp/infer-topology.js';
import { loadRib, type Rib } from '../bgp/rib.js';
import { KNOWN_ROUTE_SERVERS } from '../bgp/route-servers.js';
import { noLinks, PROVIDER, type InferenceReport, type Links, type Topology } from '../bgp/topology.js';
import { loadAsNames } from '../registry/as-names.js';
import { loadDelegations } from '../registry/delegations.js';
import { loadIanaRegistries } from '../registry/iana.js';
import { loadObservedAses, OBSERVERS } from '../registry/observed-ases.js';
import { OBSERVING_SOURCES } from '../registry/observing-sources.js';
import { loadPeeringDb } from '../registry/peeringdb.js';
import type { PeeringDb } from '../registry/registries.js';
import { loadVrps } from '../registry/rpki.js';
import { COUNTERS, countersIn, INFERRED_LINKS } from '../release/routing-counters.js';
import type { RoutingParts } from '../routing/parts.js';
import { noRoutes } from '../routing/route-table-builder.js';
import type { RouteCounts, RouteTable } from '../routing/route-table.js';
import { summariseRoutes } from '../routing/summarise-routes.js';
import { reservedSpace } from '../table/reserved-space.js';

/** Folders of normalised sources in the cache by source id. A missing source has no entry. */
export type KeptSources = ReadonlyMap<string, string>;

/** Data for the routing datasets, and counters. */
export interface LoadedRouting {
  readonly parts: RoutingParts;
  readonly counters: Record<string, number>;
}

/** The steps of loading. */
export type LoadingStep = 'rib' | 'relationships' | 'summaries' | 'sources';

/** Receives the begin of each step, with a text to show. */
export type ReportLoading = (step: LoadingStep, text: string) => void;

/**
 * Loads the sources, infers relationships and summarises routes. Without a routing table there are no routes, links and
 * counters.
 */
export function loadRouting(kept: KeptSources, report: ReportLoading): LoadedRouting {
  const load = <T>(source: string, read: (dir: string) => T): T | undefined => {
    const dir = kept.get(source);
    if (dir === undefined) return undefined;
    report('sources', `loading ${source}`);
    return read(dir);
  };
  const peeringDb = load('peeringdb', loadPeeringDb);
  const rib = kept.get('rib');
  const { routes, links, counters } =
    rib === undefined ? NO_TABLE : readTable(rib, { kept, peeringDb, report });
  const delegations = load('delegated', loadDelegations);
  const asNames = load('asnames', loadAsNames);
  const observed = OBSERVERS.flatMap(
    (observer) => load(OBSERVING_SOURCES[observer].id, (dir) => loadObservedAses(observer, dir)) ?? [],
  );
  return { parts: { routes, links, delegations, asNames, peeringDb, observed }, counters };
}

/** The routes and links of a routing table, and its counters. */
type ReadTable = Pick<RoutingParts, 'routes' | 'links'> & Pick<LoadedRouting, 'counters'>;

const NO_TABLE: ReadTable = { routes: noRoutes(), links: noLinks(), counters: {} };

interface TableSources {
  readonly kept: KeptSources;
  readonly peeringDb: PeeringDb | undefined;
  readonly report: ReportLoading;
}

/** Derives routes and links from a RIB. The RIB is by far the largest input and can be freed when this returns. */
function readTable(dir: string, { kept, peeringDb, report }: TableSources): ReadTable {
  report('rib', 'loading rib');
  const rib = loadRib(dir);
  const routeServers = new Set([...KNOWN_ROUTE_SERVERS, ...(peeringDb?.routeServers ?? [])]);
  report('relationships', 'inferring relationships');
  const topology = inferTopology(rib, { routeServers });
  report('summaries', 'summarising routes');
  const [vrpsDir, ianaDir] = [kept.get('rpki'), kept.get('iana')];
  const vrps = vrpsDir === undefined ? undefined : loadVrps(vrpsDir);
  // Some space is reserved even without IANA's registries.
  const reserved = reservedSpace(ianaDir === undefined ? [] : loadIanaRegistries(ianaDir).specialPurpose);
  const { routes, counts } = summariseRoutes({ rib, routeServers, vrps, reserved });
  const counters = {
    ...countRib(rib),
    ...countRoutes(routes, counts),
    ...countTopology(topology),
    ...(vrps && { [COUNTERS.vrps]: vrps.count }),
  };
  return { routes, links: topology.links, counters };
}

function countRib({ collectors, peers, entries, paths, prefixes }: Rib): Record<string, number> {
  return {
    [COUNTERS.collectors]: collectors.names.length,
    [COUNTERS.peers]: peers.asns.length,
    [COUNTERS.vantagePoints]: new Set(peers.asns).size,
    [COUNTERS.entries]: entries.peers.length,
    [COUNTERS.paths]: paths.flags.length,
    [COUNTERS.ribPrefixes]: prefixes.lengths.length,
  };
}

function countRoutes(routes: RouteTable, counts: RouteCounts): Record<string, number> {
  return { ...countersIn(counts, 'routes'), [COUNTERS.originAses]: new Set(routes.originAsns).size };
}

function countTopology({ links, counts, ipv4, ipv6 }: Topology): Record<string, number> {
  return {
    ...countersIn(counts, 'paths'),
    ...countLinks(links),
    ...countInference('ipv4', ipv4),
    ...countInference('ipv6', ipv6),
  };
}

function countLinks({ kinds, uncertain }: Links): Record<string, number> {
  const providers = kinds.reduce((count, kind) => count + (kind === PROVIDER ? 1 : 0), 0);
  return {
    [COUNTERS.providerLinks]: providers,
    [COUNTERS.peerLinks]: kinds.length - providers,
    [COUNTERS.uncertainLinks]: uncertain.reduce((count, flag) => count + flag, 0),
  };
}

function countInference(family: string, report: InferenceReport): Record<string, number> {
  return {
    [`${INFERRED_LINKS}${family}.${report.method}`]: report.links,
    [`fullFeeds.${family}`]: report.fullFeedVantagePoints,
    [`clique.${family}`]: report.clique.length,
  };
}
