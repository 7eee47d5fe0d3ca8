import type { AsGraph } from './as-graph.js';
import type { Inference } from './as-rank.js';
import { HIGHER_PROVIDES, LOWER_PROVIDES, PEERS, UNLABELLED } from './relationships.js';
import { countDegrees, type Degrees } from './transit-degrees.js';

/** From this ratio of degrees on two ASes are no peers. */
const PEER_DEGREE_RATIO = 60;

/**
 * Infers relationships as Gao does: "On Inferring Autonomous System Relationships in the Internet", IEEE/ACM Transactions
 * on Networking 9(6), 2001. For few vantage points. Paths are those of the graph with these numbers.
 */
export function inferByGao(graph: AsGraph, paths: Uint32Array): Inference {
  const degrees = countDegrees(graph, paths);
  const votes = new Uint32Array(graph.tails.length);
  const cannotPeer = new Uint8Array(degrees.linkPaths.length);
  for (const path of paths) vote(path, graph, { degrees, votes, cannotPeer });
  const labels = degrees.linkPaths.map((count, link) =>
    count === 0 ? UNLABELLED : labelOf(link, graph, { degrees, votes, cannotPeer }),
  );
  return { labels: Uint8Array.from(labels), clique: [], paths };
}

interface Votes {
  readonly degrees: Degrees;
  /** By arc: paths that have its tail as the provider of its head. */
  readonly votes: Uint32Array;
  /** By link: 1 where a path climbs or descends over it. */
  readonly cannotPeer: Uint8Array;
}

/** A path climbs to its AS of highest degree and then descends; the last link up or the first down may be flat. */
function vote(path: number, graph: AsGraph, { degrees, votes, cannotPeer }: Votes): void {
  const { offsets, hops, arcs } = graph;
  const from = offsets[path]!;
  const last = offsets[path + 1]! - 1;
  const degreeAt = (i: number) => (i < from || i > last ? 0 : degrees.all[hops[i]!]!);
  let top = from;
  for (let i = from; i <= last; i++) if (degreeAt(i) > degreeAt(top)) top = i;
  const flat = degreeAt(top - 1) > degreeAt(top + 1) ? top - 1 : top;
  for (let i = from; i < last; i++) {
    votes[i < top ? arcs[i]! ^ 1 : arcs[i]!]!++;
    if (i !== flat) cannotPeer[arcs[i]! >>> 1] = 1;
  }
}

function labelOf(link: number, graph: AsGraph, { degrees, votes, cannotPeer }: Votes): number {
  const lower = votes[link * 2]!;
  const higher = votes[link * 2 + 1]!;
  const [a, b] = [degrees.all[graph.tails[link * 2]!]!, degrees.all[graph.tails[link * 2 + 1]!]!];
  const mayPeer = cannotPeer[link] === 0 && Math.max(a, b) < PEER_DEGREE_RATIO * Math.min(a, b);
  if (mayPeer || lower === higher) return PEERS;
  return lower > higher ? LOWER_PROVIDES : HIGHER_PROVIDES;
}
