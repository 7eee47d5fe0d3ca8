import type { AsGraph } from './as-graph.js';
import type { Relationships } from './relationships.js';
import type { Sightings } from './sightings.js';

/** A vantage point with at most this share of all ASes in its paths exports routes of customers and peers only. */
const PARTIAL_FEED_SHARE = 0.02;

/**
 * The paths with a peer link must exceed this number before an AS that receives routes over it counts as a customer.
 */
const PEER_SIGHTINGS = 2;

/**
 * Labels links in the order of rank (§4.4, step 5). A neighbour is the provider of an AS if it exports routes of the AS
 * to its own provider or peer, or exports routes of a peer to the AS. The neighbour ranks higher, so its own providers
 * are already labelled.
 */
export function labelTopDown(sightings: Sightings, relationships: Relationships): void {
  for (const as of sightings.ranking.order) {
    for (const arc of sightings.neighboursOf(as)) {
      if (relationships.isLabelled(arc)) continue;
      if (isPassedUp(arc ^ 1, sightings, relationships) || receivesPeers(arc, sightings, relationships))
        relationships.setProvider(arc ^ 1);
    }
  }
}

/**
 * Labels links behind vantage points that export no routes of providers (§4.4, step 6): behind their neighbours there
 * are only customers. In a path of three ASes the second is the provider of the third if the third has no transit
 * degree.
 */
export function labelPartialFeeds(sightings: Sightings, relationships: Relationships): void {
  const { graph, degrees, ranking } = sightings;
  const most = ranking.order.length * PARTIAL_FEED_SHARE;
  for (const paths of pathsByVantagePoint(graph, sightings.paths)) {
    if (countAses(graph, paths) > most) continue;
    for (const path of paths) {
      const from = graph.offsets[path]!;
      const isOfThree = graph.offsets[path + 1]! - from === 3;
      if (isOfThree && degrees.transit[graph.hops[from + 2]!] === 0) {
        relationships.setProvider(graph.arcs[from + 1]!);
      }
    }
  }
}

/** For the arc from Y to X: whether a triplet `Z|Y|X` exists in which Z is a provider or peer of Y. */
function isPassedUp(arc: number, { triplets }: Sightings, relationships: Relationships): boolean {
  const end = triplets.startOf(arc + 1);
  for (let triplet = triplets.startOf(arc); triplet < end; triplet++) {
    const first = triplets.firsts[triplet]!;
    if (relationships.provides(first) || relationships.arePeers(first)) return true;
  }
  return false;
}

/**
 * For the arc from X to Y: whether a triplet `X|Y|Z` exists in which Z is a peer of Y on more than PEER_SIGHTINGS
 * paths.
 */
function receivesPeers(arc: number, { triplets, degrees }: Sightings, relationships: Relationships): boolean {
  for (const triplet of triplets.after(arc)) {
    const second = triplets.seconds[triplet]!;
    if (relationships.arePeers(second) && degrees.linkPaths[second >>> 1]! > PEER_SIGHTINGS) return true;
  }
  return false;
}

/** Groups paths by vantage point (first AS), in the order of AS numbers. */
function pathsByVantagePoint(graph: AsGraph, paths: Uint32Array): Uint32Array[] {
  const firstOf = (path: number) => graph.hops[graph.offsets[path]!]!;
  const counts = new Uint32Array(graph.asns.length);
  for (const path of paths) counts[firstOf(path)]!++;
  const groups: Uint32Array[] = [];
  const groupOf = new Uint32Array(graph.asns.length);
  for (let as = 0; as < counts.length; as++) {
    if (counts[as]! > 0) groupOf[as] = groups.push(new Uint32Array(counts[as]!)) - 1;
  }
  for (const path of paths) {
    const as = firstOf(path);
    const group = groups[groupOf[as]!]!;
    group[group.length - counts[as]!--] = path;
  }
  return groups;
}

function countAses(graph: AsGraph, paths: Uint32Array): number {
  const met = new Uint8Array(graph.asns.length);
  let count = 0;
  for (const path of paths) {
    for (let i = graph.offsets[path]!; i < graph.offsets[path + 1]!; i++) {
      const as = graph.hops[i]!;
      if (met[as] === 0) count++;
      met[as] = 1;
    }
  }
  return count;
}
