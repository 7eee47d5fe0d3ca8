import type { AsGraph } from './as-graph.js';

/**
 * The distinct sequences of three ASes `Z|Y|X` in paths, as pairs of arcs: `first` from Z to Y and `second` from Y to
 * X. Sorted by (second, first).
 */
export class Triplets {
  readonly firsts: Uint32Array;
  readonly seconds: Uint32Array;
  /** The number of paths with the triplet. */
  readonly counts: Uint32Array;
  /** 1 if the third AS is the origin of at least one path with the triplet. */
  readonly atOrigin: Uint8Array;
  readonly #secondStarts: Uint32Array;
  readonly #firstStarts: Uint32Array;
  readonly #byFirst: Uint32Array;

  constructor(graph: AsGraph, paths: Uint32Array) {
    const sightings = packSightings(graph, paths);
    const size = countDistinct(sightings);
    this.firsts = new Uint32Array(size);
    this.seconds = new Uint32Array(size);
    this.counts = new Uint32Array(size);
    this.atOrigin = new Uint8Array(size);
    this.#unpack(sightings, graph.tails.length);
    this.#secondStarts = startsOf(this.seconds, graph.tails.length);
    this.#firstStarts = startsOf(this.firsts, graph.tails.length);
    this.#byFirst = orderBy(this.firsts, this.#firstStarts);
  }

  get size(): number {
    return this.counts.length;
  }

  /** Returns the first triplet with this second arc; they end before `startOf(arc + 1)`. */
  startOf(second: number): number {
    return this.#secondStarts[second]!;
  }

  /** Returns the numbers of the triplets with this first arc. */
  after(first: number): Uint32Array {
    return this.#byFirst.subarray(this.#firstStarts[first], this.#firstStarts[first + 1]);
  }

  /** Whether some path has the two arcs in sequence. */
  has(first: number, second: number): boolean {
    return this.#find(first, second) !== undefined;
  }

  /** Returns the number of paths with the triplet's ASes in sequence, in either direction. */
  countBothWays(triplet: number): number {
    const reverse = this.#find(this.seconds[triplet]! ^ 1, this.firsts[triplet]! ^ 1);
    return this.counts[triplet]! + (reverse === undefined ? 0 : this.counts[reverse]!);
  }

  #find(first: number, second: number): number | undefined {
    let low = this.startOf(second);
    let high = this.startOf(second + 1);
    const end = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.firsts[middle]! < first) low = middle + 1;
      else high = middle;
    }
    return low < end && this.firsts[low] === first ? low : undefined;
  }

  #unpack(sightings: Float64Array, arcCount: number): void {
    let at = -1;
    let last = -1;
    for (const sighting of sightings) {
      const isAtOrigin = sighting % 2;
      const pair = (sighting - isAtOrigin) / 2;
      if (pair !== last) {
        at++;
        this.seconds[at] = Math.floor(pair / arcCount);
        this.firsts[at] = pair % arcCount;
        last = pair;
      }
      this.counts[at]!++;
      this.atOrigin[at]! |= isAtOrigin;
    }
  }
}

/**
 * Returns every triplet of every path as one integer, (second * arcs + first) * 2 + 1 at the origin, sorted. Exact
 * below 67 million arcs.
 */
function packSightings(graph: AsGraph, paths: Uint32Array): Float64Array {
  const { offsets, arcs, tails } = graph;
  let size = 0;
  for (const path of paths) size += Math.max(0, offsets[path + 1]! - offsets[path]! - 2);
  const sightings = new Float64Array(size);
  let at = 0;
  for (const path of paths) {
    const from = offsets[path]!;
    const end = offsets[path + 1]!;
    for (let i = from; i + 2 < end; i++) {
      const isAtOrigin = i + 3 === end ? 1 : 0;
      sightings[at++] = (arcs[i + 1]! * tails.length + arcs[i]!) * 2 + isAtOrigin;
    }
  }
  return sightings.sort();
}

function countDistinct(sightings: Float64Array): number {
  let count = 0;
  let last = -1;
  for (const sighting of sightings) {
    const pair = Math.floor(sighting / 2);
    if (pair !== last) count++;
    last = pair;
  }
  return count;
}

/** Returns the start of each key in the column when sorted by key. */
function startsOf(keys: Uint32Array, keyCount: number): Uint32Array {
  const starts = new Uint32Array(keyCount + 1);
  for (const key of keys) starts[key + 1]!++;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  return starts;
}

/** Returns the row numbers sorted by key; rows of equal keys keep their order. */
function orderBy(keys: Uint32Array, starts: Uint32Array): Uint32Array {
  const next = starts.slice();
  const order = new Uint32Array(keys.length);
  for (let row = 0; row < keys.length; row++) order[next[keys[row]!]!++] = row;
  return order;
}
