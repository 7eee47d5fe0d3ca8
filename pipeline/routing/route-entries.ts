import type { Rib } from '../bgp/rib.js';
import { AsTally } from './as-tally.js';
import { NO_ORIGIN, NOBODY, RESERVED_ORIGIN, type RouteEnds } from './route-ends.js';

/** What the entries of one prefix say together; filled again by every `read`. */
export class RouteEntries {
  /** Peers that see the prefix. */
  peers = 0;
  /** Those of them that have a full feed. */
  fullFeeds = 0;
  /** A path ended in a private or reserved AS number. */
  hasReservedOrigin = false;
  /** Origins with the number of peers that see them, marked when a path ended in them that did not end in a set. */
  readonly origins = new AsTally();
  /** Hops left of the origin with the number of entries. */
  readonly upstreams = new AsTally();
  readonly #rib: Rib;
  readonly #ends: RouteEnds;
  /** Number, from 1, of the prefix at which a peer was met last. */
  readonly #metAt: Uint32Array;
  /** By peer: the origin that it told first of the prefix; further ones, with their peers. */
  readonly #firstOrigins: Uint32Array;
  readonly #furtherOrigins = new Set<number>();

  constructor(rib: Rib, ends: RouteEnds) {
    this.#rib = rib;
    this.#ends = ends;
    this.#metAt = new Uint32Array(rib.peers.asns.length);
    this.#firstOrigins = new Uint32Array(rib.peers.asns.length);
  }

  /** Reads the entries of a prefix; `isFull` tells by peer whether it has a full feed. Each prefix is read once. */
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
    if (upstream !== NOBODY) upstreams.counts[upstreams.positionOf(upstream)]!++;
  }

  /** Whether no earlier entry of the peer has this origin. */
  #isFurther(peer: number, origin: number): boolean {
    if (this.#firstOrigins[peer] === origin) return false;
    const told = this.#furtherOrigins.size;
    return this.#furtherOrigins.add(peer * 2 ** 32 + origin).size > told;
  }
}
