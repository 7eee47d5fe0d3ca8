import { buildGraph, type AsGraph } from '../as-graph.js';
import type { Inference } from '../as-rank.js';
import type { AsPaths } from '../distinct-paths.js';
import { HIGHER_PROVIDES, PEERS, UNLABELLED } from '../relationships.js';
import { CUSTOMER, PEER, type Links } from '../topology.js';

/** Returns paths in columns from lines of AS numbers with spaces between. */
export function pathsOf(lines: readonly string[]): AsPaths {
  const paths = lines.map((line) => line.split(' ').map(Number));
  let end = 0;
  return {
    offsets: Uint32Array.from([0, ...paths.map((path) => (end += path.length))]),
    asns: Uint32Array.from(paths.flat()),
  };
}

/** Returns the graph of such paths, and the numbers of all of them. */
export function graphOf(lines: readonly string[]): { graph: AsGraph; paths: Uint32Array } {
  const graph = buildGraph(pathsOf(lines));
  return { graph, paths: allPathsOf(graph) };
}

/** Returns the numbers of all paths of a graph. */
export function allPathsOf(graph: AsGraph): Uint32Array {
  return new Uint32Array(graph.offsets.length - 1).map((_, path) => path);
}

/** Prints labels, sorted: `1>2` if 1 is a provider of 2, `1=2` for peers. */
export function printLabels(graph: AsGraph, { labels }: Inference): string[] {
  const printed: string[] = [];
  labels.forEach((label, link) => {
    const [low, high] = [graph.asns[graph.tails[link * 2]!]!, graph.asns[graph.tails[link * 2 + 1]!]!];
    if (label === UNLABELLED) return;
    printed.push(
      label === PEERS ? `${low}=${high}` : label === HIGHER_PROVIDES ? `${high}>${low}` : `${low}>${high}`,
    );
  });
  return printed.sort();
}

/** Prints the links of a topology in the same form, in their order. */
export function printLinks(links: Links, kinds: Uint8Array = links.kinds): string[] {
  return Array.from(kinds, (kind, i) => {
    const [left, right] = [links.left[i]!, links.right[i]!];
    return kind === PEER ? `${left}=${right}` : kind === CUSTOMER ? `${right}>${left}` : `${left}>${right}`;
  });
}
