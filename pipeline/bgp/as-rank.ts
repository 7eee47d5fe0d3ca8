import { foldUnlabelled, labelProviderless, labelSmallerProviders } from './as-rank-below.js';
import { labelPartialFeeds, labelTopDown } from './as-rank-top.js';
import type { AsGraph } from './as-graph.js';
import { inferClique } from './clique.js';
import { withoutPoisoned } from './poisoned-paths.js';
import { Relationships } from './relationships.js';
import { sightingsOf, type Sightings } from './sightings.js';

/** The inferred labels of links, and the paths they were inferred from. */
export interface Inference {
  /** By link: a label of `relationships.ts`; UNLABELLED for links in none of the paths. */
  readonly labels: Uint8Array;
  readonly clique: readonly number[];
  readonly paths: Uint32Array;
}

/**
 * Infers relationships as AS-Rank does: Luckie, Huffaker, Dhamdhere, Giotsas, claffy, "AS Relationships, Customer
 * Cones, and Validation", IMC 2013, §4. Starts at the clique; each step labels links that earlier steps left
 * unlabelled. `all` are path numbers of the graph. `given` replaces the inferred clique, as graph numbers of ASes.
 */
export function inferByAsRank(graph: AsGraph, all: Uint32Array, given?: readonly number[]): Inference {
  const clique = given ?? inferClique(graph, all);
  const isInClique = new Uint8Array(graph.asns.length);
  for (const member of clique) isInClique[member] = 1;
  const paths = withoutPoisoned(graph, all, isInClique);
  const sightings = sightingsOf(graph, paths, isInClique);
  const relationships = new Relationships(graph, isInClique);
  labelClique(sightings, relationships, clique);
  labelTopDown(sightings, relationships);
  labelPartialFeeds(sightings, relationships);
  labelSmallerProviders(sightings, relationships);
  labelProviderless(sightings, relationships);
  labelStubsOfClique(sightings, relationships, clique);
  foldUnlabelled(sightings, relationships);
  labelRest(sightings, relationships);
  return { labels: relationships.labels, clique, paths };
}

/** Labels links between members of the clique as peerings. */
function labelClique(sightings: Sightings, relationships: Relationships, clique: readonly number[]): void {
  for (const member of clique) {
    for (const arc of sightings.neighboursOf(member)) {
      if (relationships.isInClique(sightings.graph.tails[arc ^ 1]!)) relationships.setPeers(arc);
    }
  }
}

/** Labels ASes without transit degree as customers of their neighbours in the clique. */
function labelStubsOfClique(
  sightings: Sightings,
  relationships: Relationships,
  clique: readonly number[],
): void {
  const { graph, degrees } = sightings;
  for (const member of clique) {
    for (const arc of sightings.neighboursOf(member)) {
      if (degrees.transit[graph.tails[arc ^ 1]!] === 0) relationships.setProvider(arc);
    }
  }
}

/** Labels all remaining links as peerings. */
function labelRest(sightings: Sightings, relationships: Relationships): void {
  const { linkPaths } = sightings.degrees;
  for (let link = 0; link < linkPaths.length; link++) {
    if (linkPaths[link]! > 0) relationships.setPeers(link * 2);
  }
}
