import { buildGraph, type AsGraph } from './as-graph.js';
import { inferByAsRank, type Inference } from './as-rank.js';
import { fullFeedsOf } from './full-feed.js';
import { inferByGao } from './gao.js';
import { assembleLinks } from './links.js';
import { familiesOfPaths, IPV4, IPV6 } from './path-families.js';
import { UNLABELLED } from './relationships.js';
import type { Rib } from './rib.js';
import { DROPPED, sanitisePaths } from './sanitise-paths.js';
import type { InferenceReport, Topology } from './topology.js';

/**
 * With fewer full feeds Gao's method is used: AS-Rank labels all remaining links as peerings, which needs many views.
 */
const LEAST_FULL_FEEDS = 10;

/** Input of the inference besides the RIB. */
export interface TopologyOptions {
  /** Route servers, which may occur in a path without carrying traffic. They are removed from paths. */
  readonly routeServers: ReadonlySet<number>;
}

/**
 * Infers the relationships of ASes from the paths of a RIB, separately for IPv4 and IPv6. Uses AS-Rank if at least
 * LEAST_FULL_FEEDS vantage points provide a full feed of the family, else Gao's method. The result does not depend on
 * the order of the paths.
 */
export function inferTopology(rib: Rib, options: TopologyOptions): Topology {
  const { paths, becomes, counts } = sanitisePaths(rib.paths, options);
  const graph = buildGraph(paths);
  const families = distinctFamilies(familiesOfPaths(rib), becomes, paths.offsets.length - 1);
  const isFull = fullFeedsOf(rib);
  const vantagePoints = (peers: Uint8Array) =>
    new Set(rib.peers.asns.filter((_, peer) => peers[peer] === 1)).size;
  const ipv4 = inferFamily(graph, pathsOf(families, IPV4), vantagePoints(isFull[4]));
  const ipv6 = inferFamily(graph, pathsOf(families, IPV6), vantagePoints(isFull[6]));
  counts.dropped.poisoned = countUnused(becomes, paths.offsets.length - 1, [ipv4.inference, ipv6.inference]);
  return {
    links: assembleLinks(graph, ipv4.inference, ipv6.inference),
    counts,
    ipv4: ipv4.report,
    ipv6: ipv6.report,
  };
}

function inferFamily(
  graph: AsGraph,
  paths: Uint32Array,
  fullFeeds: number,
): { inference: Inference; report: InferenceReport } {
  const method = fullFeeds >= LEAST_FULL_FEEDS ? 'as-rank' : 'gao';
  const inference = method === 'as-rank' ? inferByAsRank(graph, paths) : inferByGao(graph, paths);
  const report = {
    method,
    fullFeedVantagePoints: fullFeeds,
    clique: inference.clique.map((as) => graph.asns[as]!),
    links: inference.labels.reduce((count, label) => count + (label === UNLABELLED ? 0 : 1), 0),
  } as const;
  return { inference, report };
}

/** Returns the families of each distinct path: the union of the families of its raw paths. */
function distinctFamilies(ofPaths: Uint8Array, becomes: Uint32Array, distinctCount: number): Uint8Array {
  const families = new Uint8Array(distinctCount);
  for (let path = 0; path < becomes.length; path++) {
    if (becomes[path] !== DROPPED) families[becomes[path]!]! |= ofPaths[path]!;
  }
  return families;
}

function pathsOf(families: Uint8Array, family: number): Uint32Array {
  const paths = new Uint32Array(families.length);
  let count = 0;
  for (let path = 0; path < families.length; path++) {
    if ((families[path]! & family) !== 0) paths[count++] = path;
  }
  return paths.slice(0, count);
}

/** Counts the raw paths that were kept but that neither inference used. */
function countUnused(becomes: Uint32Array, distinctCount: number, used: readonly Inference[]): number {
  const isUsed = new Uint8Array(distinctCount);
  for (const { paths } of used) for (const path of paths) isUsed[path] = 1;
  let unused = 0;
  for (const path of becomes) if (path !== DROPPED && isUsed[path] === 0) unused++;
  return unused;
}
