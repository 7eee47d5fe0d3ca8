import type { AsGraph } from './as-graph.js';

/** Returns the paths without poisoned ones: paths with an AS outside the clique between two members of the clique. */
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
