import type { Relationships } from './relationships.js';
import type { Sightings } from './sightings.js';
import { AT_ORIGIN, BEYOND_FIRST_HOP } from './triplets.js';

/** The minimum number of paths with a triplet for a provider smaller than its customer. */
const LEAST_PATHS = 3;

/** The minimum transit degree of an AS that may have no provider. */
const LEAST_TRANSIT_DEGREE = 10;

/**
 * Labels providers that are smaller than their customers (§4.4, step 7). In a triplet `X|Y|Z` where X is a provider of
 * Y and Z is the origin of some path, Y is the provider of Z even if Z is larger. The most frequent triplets come
 * first. Behind Z, smaller ASes become customers of Z; larger ones are appended to the queue.
 */
export function labelSmallerProviders(sightings: Sightings, relationships: Relationships): void {
  const { graph, triplets, degrees } = sightings;
  const headTransit = (arc: number) => degrees.transit[graph.tails[arc ^ 1]!]!;
  const queue = smallerProviderTriplets(sightings, relationships);
  for (let turn = 0; turn < queue.length; turn++) {
    const arc = triplets.seconds[queue[turn]!]!;
    if (!relationships.setProvider(arc)) continue;
    for (const triplet of triplets.after(arc)) {
      const next = triplets.seconds[triplet]!;
      if (relationships.isLabelled(next)) continue;
      if (headTransit(next) >= headTransit(arc)) queue.push(triplet);
      else relationships.setProvider(next);
    }
  }
}

function smallerProviderTriplets(sightings: Sightings, relationships: Relationships): number[] {
  const { graph, triplets, degrees, ranking } = sightings;
  const found: number[] = [];
  for (let triplet = 0; triplet < triplets.size; triplet++) {
    const first = triplets.firsts[triplet]!;
    const second = triplets.seconds[triplet]!;
    if (!relationships.provides(first) || relationships.isLabelled(second)) continue;
    if (triplets.counts[triplet]! < LEAST_PATHS || (triplets.flags[triplet]! & AT_ORIGIN) === 0) continue;
    if (degrees.transit[graph.tails[second ^ 1]!]! >= degrees.transit[graph.tails[second]!]!)
      found.push(triplet);
  }
  const rankOf = (arc: number) => ranking.rankOf[graph.tails[arc]!]!;
  return found.sort((a, b) => {
    const [firstA, firstB] = [triplets.firsts[a]!, triplets.firsts[b]!];
    const [secondA, secondB] = [triplets.seconds[a]!, triplets.seconds[b]!];
    return (
      triplets.counts[b]! - triplets.counts[a]! ||
      rankOf(secondA) - rankOf(secondB) ||
      rankOf(secondA ^ 1) - rankOf(secondB ^ 1) ||
      rankOf(firstA) - rankOf(firstB)
    );
  });
}

/**
 * Labels the links of transit ASes without a provider, such as research and regional networks (§4.4, step 8). By rank,
 * a neighbour whose routes the AS passes on becomes a peer; the neighbours that receive them become customers.
 */
export function labelProviderless(sightings: Sightings, relationships: Relationships): void {
  for (const as of sightings.ranking.order) {
    if (relationships.isInClique(as) || relationships.hasProvider(as)) continue;
    if (sightings.degrees.transit[as]! < LEAST_TRANSIT_DEGREE) continue;
    for (const arc of sightings.neighboursOf(as)) {
      if (relationships.isLabelled(arc)) continue;
      const carried = carriedBeside(arc, sightings);
      if (carried.length > 0) relationships.setPeers(arc);
      for (const customer of carried) {
        if (relationships.setProvider(customer)) labelCustomersBehind(customer, sightings, relationships, 1);
      }
    }
  }
}

/** For the arc from X to Y: returns the arcs from X to every Z of a triplet `Y|X|Z` or `Z|X|Y`. */
function carriedBeside(arc: number, { triplets }: Sightings): number[] {
  const carried = Array.from(triplets.after(arc ^ 1), (triplet) => triplets.seconds[triplet]!);
  const end = triplets.startOf(arc + 1);
  for (let triplet = triplets.startOf(arc); triplet < end; triplet++) {
    carried.push(triplets.firsts[triplet]! ^ 1);
  }
  return carried;
}

/** Labels every AS behind a new customer as its customer if its transit degree is smaller by at least `margin`. */
function labelCustomersBehind(
  arc: number,
  sightings: Sightings,
  relationships: Relationships,
  margin: 0 | 1,
): void {
  const { graph, triplets, degrees } = sightings;
  const transit = degrees.transit[graph.tails[arc ^ 1]!]!;
  for (const triplet of triplets.after(arc)) {
    const next = triplets.seconds[triplet]!;
    if (transit - degrees.transit[graph.tails[next ^ 1]!]! >= margin) relationships.setProvider(next);
  }
}

/**
 * Labels links next to unlabelled links (§4.4, step 10). In `Y|X|Z` at most one link is a peering. If Y is, or may be,
 * a peer of X, then Z is a customer of X, unless Z is larger or X was seen to pass on routes of others to Z.
 */
export function foldUnlabelled(sightings: Sightings, relationships: Relationships): void {
  const { graph, triplets, degrees, ranking } = sightings;
  for (const as of ranking.order) {
    for (const arc of sightings.neighboursOf(as)) {
      if (relationships.isLabelled(arc) || triplets.after(arc ^ 1).length > 0) continue;
      if (degrees.transit[as]! < degrees.transit[graph.tails[arc ^ 1]!]!) continue;
      if (isExportedToPeer(arc, sightings, relationships) && relationships.setProvider(arc))
        labelCustomersBehind(arc, sightings, relationships, 0);
    }
  }
}

/**
 * For the arc from X to Z: whether a triplet `Y|X|Z` exists in which Y is a peer of X, or unlabelled and possibly a
 * peer.
 */
function isExportedToPeer(arc: number, sightings: Sightings, relationships: Relationships): boolean {
  const { triplets } = sightings;
  const end = triplets.startOf(arc + 1);
  for (let triplet = triplets.startOf(arc); triplet < end; triplet++) {
    const first = triplets.firsts[triplet]!;
    if (relationships.provides(first) || relationships.provides(first ^ 1)) continue;
    if (!isTreatedAsCustomer(first, sightings, relationships)) return true;
  }
  return false;
}

/**
 * For the arc from Y to X: whether X exports routes of its providers to Y, or routes of Y to ASes other than its
 * customers. Triplets that start at a vantage point do not count for the latter, because the relationship with a
 * vantage point is uncertain.
 */
function isTreatedAsCustomer(
  arc: number,
  { graph, triplets }: Sightings,
  relationships: Relationships,
): boolean {
  if (relationships.someProviderArc(graph.tails[arc ^ 1]!, (upward) => triplets.has(arc, upward)))
    return true;
  const end = triplets.startOf((arc ^ 1) + 1);
  for (let triplet = triplets.startOf(arc ^ 1); triplet < end; triplet++) {
    const isCustomer = relationships.provides(triplets.firsts[triplet]! ^ 1);
    if (!isCustomer && (triplets.flags[triplet]! & BEYOND_FIRST_HOP) !== 0) return true;
  }
  return false;
}
