/** No operator counts as more than this many networks. */
export const MOST_NETWORKS = 30;

/**
 * Returns a function that weighs counts by operator. An operator counts as the square root of its networks, at most
 * MOST_NETWORKS, so that neither the largest operator nor the smallest decides alone. Those in `without` count nothing.
 */
export function operatorWeights(
  counts: readonly ReadonlyMap<string, number>[],
  without?: ReadonlySet<string>,
): (countByOperator: ReadonlyMap<string, number>) => number {
  const networks = new Map<string, number>();
  for (const one of counts) {
    for (const [operator, count] of one) networks.set(operator, (networks.get(operator) ?? 0) + count);
  }
  return (countByOperator) => {
    let weight = 0;
    for (const [operator, count] of countByOperator) {
      if (without?.has(operator) === true) continue;
      const all = networks.get(operator)!;
      weight += (count * Math.min(MOST_NETWORKS, Math.sqrt(all))) / all;
    }
    return weight;
  };
}
