import type { Rib } from '../bgp/rib.js';
import { AsTally } from './as-tally.js';
import { NO_ORIGIN, NO_UPSTREAM, RESERVED_ORIGIN, type RouteEnds } from './route-ends.js';

/** A summary of the entries of one prefix. Every `read` replaces it. */
export class RouteEntries {
  /** The number of peers with the prefix. */
  peers = 0;
  /** The number of those peers with a full feed. */
  fullFeeds = 0;
  /** Whether a path ended in a private or reserved AS number. */
  hasReservedOrigin = false;
  /** Origins with their number of peers; marked if at least one path to the origin did not end in a set. */
  readonly origins = new AsTally();
  /** Upstreams with their number of entries. */
  readonly upstreams = new AsTally();
  readonly #rib: Rib;
  readonly #ends: RouteEnds;
  /** By peer: the number plus 1 of the last prefix with an entry of the peer. */
  readonly #metAt: Uint32Array;
  /** By peer: the origin of its first entry of the prefix. Further origins are pairs of peer and origin. */
  readonly #firstOrigins: Uint32Array;
  readonly #furtherOrigins = new Set<number>();

  constructor(rib: Rib, ends: RouteEnds) {
    this.#rib = rib;
    this.#ends = ends;
    this.#metAt = new Uint32Array(rib.peers.asns.length);
    this.#firstOrigins = new Uint32Array(rib.peers.asns.length);
  }

  /** Reads the entries of a prefix; `isFull` is 1 for peers with a full feed. Each prefix may be read only once. */
  read(prefix: number, isFull: Uint8Array): void {
    const { starts, peers } = this.#rib.entries;
    this.#clear();
    const end = starts[prefix + 1]!;
    for (let entry = starts[prefix]!; entry < end; entry++) {
      const peer = peers[entry]!;
      const isFirst = this.#metAt[peer] !== prefix + 1;
      if (isFirst) {
        this.#metAt[peer] = prefix + 1;
        this.peers++;
        this.fullFeeds += isFull[peer]!;
      }
      this.#readPath(entry, peer, isFirst);
    }
  }

  #clear(): void {
    this.peers = 0;
    this.fullFeeds = 0;
    this.hasReservedOrigin = false;
    this.origins.clear();
    this.upstreams.clear();
    if (this.#furtherOrigins.size > 0) this.#furtherOrigins.clear();
  }

  #readPath(entry: number, peer: number, isFirst: boolean): void {
    const ends = this.#ends;
    const at = 3 * this.#rib.entries.paths[entry]!;
    const origin = ends[at]!;
    if (isFirst) this.#firstOrigins[peer] = origin;
    if (origin === NO_ORIGIN) return;
    if (origin === RESERVED_ORIGIN) {
      this.hasReservedOrigin = true;
      return;
    }
    const { origins, upstreams } = this;
    const position = origins.positionOf(origin);
    if (isFirst || this.#isFurther(peer, origin)) origins.counts[position]!++;
    if (ends[at + 2] === 1) origins.marks[position] = 1;
    const upstream = ends[at + 1]!;
    if (upstream !== NO_UPSTREAM) upstreams.counts[upstreams.positionOf(upstream)]!++;
  }

  /** Whether no earlier entry of the peer has this origin. */
  #isFurther(peer: number, origin: number): boolean {
    if (this.#firstOrigins[peer] === origin) return false;
    const count = this.#furtherOrigins.size;
    return this.#furtherOrigins.add(peer * 2 ** 32 + origin).size > count;
  }
}
