import type { Relationships } from './relationships.js';
import type { Sightings } from './sightings.js';
import { AT_ORIGIN, BEYOND_FIRST_HOP } from './triplets.js';

/** Paths that a triplet must be in before a provider may be smaller than its customer. */
const LEAST_PATHS = 3;

/** Transit degree from which on an AS may do without a provider. */
const LEAST_TRANSIT_DEGREE = 10;

/**
 * Providers smaller than their customers (§4.4, step 7): of `X|Y|Z` with X a provider of Y and Z the origin somewhere,
 * Y is the provider of Z although Z is not the smaller one. The most frequent come first; what is larger still behind
 * Z waits for its turn, what is smaller is Z's customer.
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
 * ASes that carry traffic and have no provider, research and regional networks (§4.4, step 8): the neighbour of highest
 * rank that they carry for becomes a peer, those to whom they carry it become customers, and so on down the rank.
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

/** The arcs from X to the ASes between which and Y it was seen, either way round, for the arc from X to Y. */
function carriedBeside(arc: number, { triplets }: Sightings): number[] {
  const carried = Array.from(triplets.after(arc ^ 1), (triplet) => triplets.seconds[triplet]!);
  const end = triplets.startOf(arc + 1);
  for (let triplet = triplets.startOf(arc); triplet < end; triplet++) {
    carried.push(triplets.firsts[triplet]! ^ 1);
  }
  return carried;
}

/** What is seen behind a new customer, and smaller by at least `margin`, is a customer of that one. */
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
 * Links beside links without label (§4.4, step 10): of two in a row, `Y|X|Z`, only one can be flat. Where Y is a peer of
 * X, or may be one, Z is a customer of X, unless Z is the larger, or X was seen to pass routes of others on to it.
 */
export function foldUnlabelled(sightings: Sightings, relationships: Relationships): void {
  const { graph, triplets, degrees, ranking } = sightings;
  for (const as of ranking.order) {
    for (const arc of sightings.neighboursOf(as)) {
      if (relationships.isLabelled(arc) || triplets.after(arc ^ 1).length > 0) continue;
      if (degrees.transit[as]! < degrees.transit[graph.tails[arc ^ 1]!]!) continue;
      if (isHeardByPeer(arc, sightings, relationships) && relationships.setProvider(arc))
        labelCustomersBehind(arc, sightings, relationships, 0);
    }
  }
}

/** `Y|X|Z` with Y a peer of X or without label, and nothing that speaks against it, for the arc from X to Z. */
function isHeardByPeer(arc: number, sightings: Sightings, relationships: Relationships): boolean {
  const { triplets } = sightings;
  const end = triplets.startOf(arc + 1);
  for (let triplet = triplets.startOf(arc); triplet < end; triplet++) {
    const heard = triplets.firsts[triplet]!;
    if (relationships.provides(heard) || relationships.provides(heard ^ 1)) continue;
    if (!isTreatedAsCustomer(heard, sightings, relationships)) return true;
  }
  return false;
}

/**
 * Whether X gives Y its providers' routes, or passes Y's routes on to others than its customers, for the arc from Y to
 * X. At a vantage point it does not count: who listens there need not be what it seems.
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
