/**
 * Returns all maximal cliques of a small graph (Bron and Kerbosch 1973, with the pivot of Tomita et al. 2006).
 * `isLinked` must be symmetric; links of a node to itself are ignored.
 */
export function maximalCliques(
  nodes: readonly number[],
  isLinked: (a: number, b: number) => boolean,
): number[][] {
  const neighbours = new Map(
    nodes.map((node) => [node, new Set(nodes.filter((other) => other !== node && isLinked(node, other)))]),
  );
  const cliques: number[][] = [];
  const extend = (clique: readonly number[], candidates: Set<number>, done: Set<number>) => {
    if (candidates.size === 0 && done.size === 0) cliques.push([...clique]);
    const pivot = bestPivot([...candidates, ...done], candidates, neighbours);
    for (const node of [...candidates]) {
      if (pivot?.has(node)) continue;
      const near = neighbours.get(node)!;
      extend([...clique, node], intersection(candidates, near), intersection(done, near));
      candidates.delete(node);
      done.add(node);
    }
  };
  extend([], new Set(nodes), new Set());
  return cliques;
}

/** Returns the neighbours of the node with the most candidates among its neighbours. */
function bestPivot(
  nodes: readonly number[],
  candidates: ReadonlySet<number>,
  neighbours: ReadonlyMap<number, ReadonlySet<number>>,
): ReadonlySet<number> | undefined {
  let best: ReadonlySet<number> | undefined;
  let most = -1;
  for (const node of nodes) {
    const near = neighbours.get(node)!;
    const count = intersection(candidates, near).size;
    if (count > most) {
      most = count;
      best = near;
    }
  }
  return best;
}

function intersection(a: ReadonlySet<number>, b: ReadonlySet<number>): Set<number> {
  return new Set([...a].filter((node) => b.has(node)));
}
