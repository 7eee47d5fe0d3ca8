/** Returns the position of a number in an ascending array; undefined if it is not in it. */
export function positionOf(ascending: Uint32Array, number: number): number | undefined {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (ascending[middle]! < number) from = middle + 1;
    else to = middle;
  }
  return ascending[from] === number ? from : undefined;
}
