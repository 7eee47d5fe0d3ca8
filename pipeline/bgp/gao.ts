import type { AsGraph } from './as-graph.js';
import type { Inference } from './as-rank.js';
import { HIGHER_PROVIDES, LOWER_PROVIDES, PEERS, UNLABELLED } from './relationships.js';
import { countDegrees, type Degrees } from './transit-degrees.js';

/** Two ASes with this ratio of degrees or more are not peers. */
const PEER_DEGREE_RATIO = 60;

/**
 * Infers relationships as Gao does: "On Inferring Autonomous System Relationships in the Internet", IEEE/ACM
 * Transactions on Networking 9(6), 2001. Suitable for few vantage points. `paths` are path numbers of the graph.
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
  /** By arc: the number of paths in which its tail is the provider of its head. */
  readonly votes: Uint32Array;
  /** By link: 1 if it cannot be a peering in some path. */
  readonly cannotPeer: Uint8Array;
}

/**
 * Adds the votes of one path. A path goes up to its AS of highest degree, then down. Only one of the two links at the
 * top may be a peering.
 */
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
