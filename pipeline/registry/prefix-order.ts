/** Prefixes in columns: four words of address each, and lengths in bits of the 128-bit space. */
export interface PrefixColumns {
  readonly addresses: Uint32Array;
  readonly lengths: Uint8Array;
}

/** In place of a parent: no prefix covers this one. */
export const NO_PARENT = 0xffff_ffff;

/**
 * Returns the positions of the first `count` prefixes in address order, a covering prefix before those inside it. Equal
 * prefixes are ordered by `tie`, then by position. (A radix sort takes twice as long: every pass misses the cache.)
 */
export function prefixOrder(
  prefixes: PrefixColumns,
  count: number,
  tie: (a: number, b: number) => number = () => 0,
): Uint32Array<ArrayBuffer> {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  return order.sort((a, b) => comparePrefixes(prefixes, a, b) || tie(a, b) || a - b);
}

/** Compares two prefixes by address, then by length. Returns a negative number, 0 or a positive number. */
export function comparePrefixes({ addresses, lengths }: PrefixColumns, a: number, b: number): number {
  for (let word = 0; word < 4; word++) {
    const difference = addresses[4 * a + word]! - addresses[4 * b + word]!;
    if (difference !== 0) return difference;
  }
  return lengths[a]! - lengths[b]!;
}

/** Returns for each of `count` distinct sorted prefixes the position of the longest covering one, or NO_PARENT. */
export function parentsOf(prefixes: PrefixColumns, count: number): Uint32Array<ArrayBuffer> {
  const parents = new Uint32Array(count).fill(NO_PARENT);
  for (let index = 1; index < count; index++) {
    let candidate = index - 1;
    while (candidate !== NO_PARENT && !covers(prefixes, candidate, prefixes.addresses, 4 * index)) {
      candidate = parents[candidate]!;
    }
    parents[index] = candidate;
  }
  return parents;
}

/** Whether the prefix covers the address in the four words of `addresses` from `at`. */
export function covers(prefixes: PrefixColumns, index: number, addresses: Uint32Array, at: number): boolean {
  const length = prefixes.lengths[index]!;
  for (let word = 0; word < 4; word++) {
    const bits = length - 32 * word;
    if (bits <= 0) return true;
    const differing = prefixes.addresses[4 * index + word]! ^ addresses[at + word]!;
    if (differing !== 0 && (bits >= 32 || differing >>> (32 - bits) !== 0)) return false;
  }
  return true;
}

/** Returns the position of the last of `count` sorted prefixes that is not after `address`/`length`; -1 if all are. */
export function lastNotBehind(
  { addresses, lengths }: PrefixColumns,
  count: number,
  address: Uint32Array,
  length: number,
): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const at = 4 * middle;
    let difference = addresses[at]! - address[0]!;
    if (difference === 0) difference = addresses[at + 1]! - address[1]!;
    if (difference === 0) difference = addresses[at + 2]! - address[2]!;
    if (difference === 0) difference = addresses[at + 3]! - address[3]!;
    if (difference === 0) difference = lengths[middle]! - length;
    if (difference > 0) to = middle;
    else from = middle + 1;
  }
  return from - 1;
}
