import type { AsGraph } from './as-graph.js';
import type { Relationships } from './relationships.js';
import type { Sightings } from './sightings.js';

/** A vantage point with routes to at most this share of all ASes exports routes of customers and peers only. */
const PARTIAL_FEED_SHARE = 0.02;

/** An AS that receives routes of a peer from a neighbour on more than this number of paths is its customer. */
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
    if (countOrigins(graph, paths) > most) continue;
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

/** For the arc from X to Y: whether more than PEER_SIGHTINGS paths have a triplet `X|Y|Z` in which Z is a peer of Y. */
function receivesPeers(arc: number, { triplets }: Sightings, relationships: Relationships): boolean {
  return triplets
    .after(arc)
    .some(
      (triplet) =>
        relationships.arePeers(triplets.seconds[triplet]!) && triplets.counts[triplet]! > PEER_SIGHTINGS,
    );
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

/** Returns the number of distinct origins (last ASes) of the paths. */
function countOrigins(graph: AsGraph, paths: Uint32Array): number {
  const met = new Uint8Array(graph.asns.length);
  let count = 0;
  for (const path of paths) {
    const origin = graph.hops[graph.offsets[path + 1]! - 1]!;
    if (met[origin] === 0) count++;
    met[origin] = 1;
  }
  return count;
}
