import type { AsGraph } from './as-graph.js';

/** The paths without the poisoned ones, in which an AS stands between two of the clique that is not of it. */
export function withoutPoisoned(graph: AsGraph, paths: Uint32Array, isInClique: Uint8Array): Uint32Array {
  return paths.filter((path) => !isPoisoned(graph, path, isInClique));
}

function isPoisoned(graph: AsGraph, path: number, isInClique: Uint8Array): boolean {
  const end = graph.offsets[path + 1]!;
  let last = end;
  for (let i = graph.offsets[path]!; i < end; i++) {
    if (isInClique[graph.hops[i]!] !== 1) continue;
    if (i > last + 1) return true;
    last = i;
  }
  return false;
}
