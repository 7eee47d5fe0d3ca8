import type { Relationships } from './relationships.js';
import type { Sightings } from './sightings.js';

/** The minimum number of paths with a triplet for a provider smaller than its customer. */
const LEAST_PATHS = 3;

/** The minimum transit degree of an AS that may have no provider. */
const LEAST_TRANSIT_DEGREE = 10;

/**
 * Labels providers that are smaller than their customers (§4.4, step 7). In a triplet `X|Y|Z` where X is a provider of
 * Y and Z is the origin of some path, Y is the provider of Z even if Z is larger. The most frequent triplets come
 * first, in either direction. Behind Z, larger ASes wait for their turn; the others become customers of Z.
 */
export function labelSmallerProviders(sightings: Sightings, relationships: Relationships): void {
  const { graph, triplets, degrees } = sightings;
  const headTransit = (arc: number) => degrees.transit[graph.tails[arc ^ 1]!]!;
  const waiting = new WaitingTriplets(sightings, smallerProviderTriplets(sightings, relationships));
  for (let next = waiting.take(); next !== undefined; next = waiting.take()) {
    const arc = triplets.seconds[next]!;
    if (!relationships.setProvider(arc)) continue;
    for (const triplet of triplets.after(arc)) {
      const behind = triplets.seconds[triplet]!;
      if (relationships.isLabelled(behind)) continue;
      if (headTransit(behind) > headTransit(arc)) waiting.add(triplet);
      else relationships.setProvider(behind);
    }
  }
}

function smallerProviderTriplets(sightings: Sightings, relationships: Relationships): number[] {
  const { graph, triplets, degrees } = sightings;
  const found: number[] = [];
  for (let triplet = 0; triplet < triplets.size; triplet++) {
    const first = triplets.firsts[triplet]!;
    const second = triplets.seconds[triplet]!;
    if (triplets.atOrigin[triplet] === 0) continue;
    if (!relationships.provides(first) || relationships.isLabelled(second)) continue;
    if (degrees.transit[graph.tails[second ^ 1]!]! >= degrees.transit[graph.tails[second]!]!)
      found.push(triplet);
  }
  return found;
}

/** Triplets on at least LEAST_PATHS paths, the most frequent first. */
class WaitingTriplets {
  readonly #sightings: Sightings;
  /** In ascending order of frequency. */
  readonly #waiting: number[];

  constructor(sightings: Sightings, triplets: readonly number[]) {
    this.#sightings = sightings;
    this.#waiting = triplets.filter((triplet) => this.#isFrequent(triplet)).sort((a, b) => this.#order(b, a));
  }

  add(triplet: number): void {
    if (!this.#isFrequent(triplet)) return;
    let low = 0;
    let high = this.#waiting.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#order(this.#waiting[middle]!, triplet) > 0) low = middle + 1;
      else high = middle;
    }
    this.#waiting.splice(low, 0, triplet);
  }

  take(): number | undefined {
    return this.#waiting.pop();
  }

  #isFrequent(triplet: number): boolean {
    return this.#sightings.triplets.countBothWays(triplet) >= LEAST_PATHS;
  }

  /** Compares by frequency (descending), then by the ranks of the second AS, of the third, of the first. */
  #order(a: number, b: number): number {
    const { graph, triplets, ranking } = this.#sightings;
    const rankOf = (arc: number) => ranking.rankOf[graph.tails[arc]!]!;
    const [secondA, secondB] = [triplets.seconds[a]!, triplets.seconds[b]!];
    return (
      triplets.countBothWays(b) - triplets.countBothWays(a) ||
      rankOf(secondA) - rankOf(secondB) ||
      rankOf(secondA ^ 1) - rankOf(secondB ^ 1) ||
      rankOf(triplets.firsts[a]!) - rankOf(triplets.firsts[b]!)
    );
  }
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
 * a peer of X, then Z is a customer of X, unless Z is larger or is itself such a Y. The Z behind most such Y come
 * first.
 */
export function foldUnlabelled(sightings: Sightings, relationships: Relationships): void {
  const { graph, degrees, ranking } = sightings;
  for (const as of ranking.order) {
    for (const arc of exportedToPeers(as, sightings, relationships)) {
      if (degrees.transit[as]! < degrees.transit[graph.tails[arc ^ 1]!]!) continue;
      if (relationships.setProvider(arc)) labelCustomersBehind(arc, sightings, relationships, 0);
    }
  }
}

/**
 * Returns the unlabelled arcs from X to every Z of a triplet `Y|X|Z` in which Y may be a peer of X, in descending
 * order of the number of such Y. Leaves out each Z that is also such a Y, and does not count it.
 */
function exportedToPeers(as: number, sightings: Sightings, relationships: Relationships): number[] {
  const exports = new Map<number, number[]>();
  for (const arc of sightings.neighboursOf(as)) {
    const exported = unlabelledAfter(arc ^ 1, sightings, relationships);
    if (exported.length > 0 && mayBePeer(arc ^ 1, sightings, relationships)) exports.set(arc, exported);
  }
  const all = new Set([...exports.values()].flat());
  const isBoth = (arc: number) => exports.has(arc) && all.has(arc);
  const counts = new Map<number, number>();
  for (const [arc, exported] of exports) {
    if (isBoth(arc)) continue;
    for (const one of exported) if (!isBoth(one)) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return Array.from(sightings.neighboursOf(as))
    .filter((arc) => counts.has(arc))
    .sort((a, b) => counts.get(b)! - counts.get(a)!);
}

/** For the arc from Y to X: returns the unlabelled arcs from X to every Z of a triplet `Y|X|Z`. */
function unlabelledAfter(arc: number, { triplets }: Sightings, relationships: Relationships): number[] {
  const seconds = Array.from(triplets.after(arc), (triplet) => triplets.seconds[triplet]!);
  return seconds.filter((second) => !relationships.isLabelled(second));
}

/**
 * For the arc from Y to X: whether Y is a peer of X or unlabelled, and no path has them next to a provider of X.
 */
function mayBePeer(arc: number, { graph, triplets }: Sightings, relationships: Relationships): boolean {
  if (relationships.isLabelled(arc) && !relationships.arePeers(arc)) return false;
  return !relationships.someProviderArc(
    graph.tails[arc ^ 1]!,
    (upward) => triplets.has(arc, upward) || triplets.has(upward ^ 1, arc ^ 1),
  );
}
