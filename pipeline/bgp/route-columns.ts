import type { Prefix } from '../net/prefix.js';
import { Uint32Column } from '../table/slots.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { PathInterner } from './path-interner.js';
import type { Peer } from './peer-index-table.js';
import type { DumpRoute, RouteSink } from './route-sink.js';

/** The prefixes, peers and paths of all dumps of a night, numbered from 0 in the order they are read. */
export class Numbering {
  readonly paths: PathInterner;
  readonly #prefixes: TupleMemo;
  readonly #peers = new TupleMemo(PEER_WORDS);
  readonly #prefix = new Int32Array(PREFIX_WORDS);
  readonly #peer = new Int32Array(PEER_WORDS);

  /** Allocates room for about this many distinct prefixes and paths. */
  constructor({ prefixes = 1024, paths = 1024 } = {}) {
    this.#prefixes = new TupleMemo(PREFIX_WORDS, 2 ** Math.ceil(Math.log2(prefixes)));
    this.paths = new PathInterner(paths);
  }

  get prefixCount(): number {
    return this.#prefixes.size;
  }

  get peerCount(): number {
    return this.#peers.size;
  }

  /** Consecutive prefixes: four words of address, then the length. */
  get prefixes(): Int32Array {
    return this.#prefixes.tuples;
  }

  /** Consecutive peers: four words of address, AS number, family. */
  get peers(): Int32Array {
    return this.#peers.tuples;
  }

  prefix({ address, length }: Prefix): number {
    for (let word = 0; word < 4; word++) this.#prefix[word] = address[word]!;
    this.#prefix[4] = length;
    return this.#prefixes.number(this.#prefix);
  }

  peer({ address, asn, family }: Peer): number {
    this.#peer.set(address);
    this.#peer[4] = asn;
    this.#peer[5] = family;
    return this.#peers.number(this.#peer);
  }
}

/** The integers per prefix and per peer in a Numbering. */
export const PREFIX_WORDS = 5;
export const PEER_WORDS = 6;

/** Peer numbers have 16 bits. */
const MAX_PEERS = 0x1_0000;

/** The routes of one dump in columns. Consecutive routes of one prefix form a run. */
export class RouteColumns implements RouteSink {
  /** By run: its prefix, and the position after its last route. */
  readonly prefixes = new Uint32Column();
  readonly ends = new Uint32Column();
  /** By route. Path identifiers only if the dump has any. */
  readonly paths: Uint32Column;
  peerNumbers: Uint16Array;
  pathIds: Uint32Column | undefined;
  readonly #numbering: Numbering;
  /** By peer number: the place of its last path in the interner. */
  readonly #lastPlaces = new Uint32Array(MAX_PEERS);
  /** The numbers of the peers in the current peer table. */
  #table = new Uint16Array(64);
  #tableLength = 0;
  #prefix = 0;
  #begin = 0;

  /** Allocates room for `capacity` routes. */
  constructor(numbering: Numbering, capacity = 1024) {
    this.#numbering = numbering;
    this.paths = new Uint32Column(capacity);
    this.peerNumbers = new Uint16Array(capacity);
  }

  /** The number of routes. */
  get length(): number {
    return this.paths.length;
  }

  beginPeers(): void {
    this.#tableLength = 0;
  }

  peer(peer: Peer): boolean {
    const number = this.#numbering.peer(peer);
    if (number >= MAX_PEERS) return false;
    if (this.#tableLength === this.#table.length) this.#growTable();
    this.#table[this.#tableLength++] = number;
    return true;
  }

  begin(prefix: Prefix, count: number, hasPathIds: boolean): void {
    this.#begin = this.paths.length;
    this.#prefix = this.#numbering.prefix(prefix);
    this.paths.reserve(count);
    if (this.peerNumbers.length < this.paths.values.length) {
      const grown = new Uint16Array(this.paths.values.length);
      grown.set(this.peerNumbers);
      this.peerNumbers = grown;
    }
    if (hasPathIds) this.pathIds ??= new Uint32Column(this.paths.values.length);
    if (this.pathIds) {
      // Routes before the first path identifier get 0.
      this.pathIds.length = this.#begin;
      this.pathIds.reserve(this.paths.values.length - this.#begin);
    }
  }

  route({ peer, pathId, bytes, pathStart, pathEnd }: DumpRoute): boolean {
    const number = this.#table[peer]!;
    if (!this.#numbering.paths.add(bytes, pathStart, pathEnd, this.#lastPlaces[number]!)) return false;
    const at = this.paths.length++;
    this.peerNumbers[at] = number;
    if (this.pathIds) this.pathIds.values[at] = pathId;
    return true;
  }

  keep(): void {
    this.#settlePaths();
    if (this.paths.length === this.#begin) return;
    const runs = this.prefixes.length;
    if (runs > 0 && this.prefixes.values[runs - 1] === this.#prefix) {
      this.ends.values[runs - 1] = this.paths.length;
      return;
    }
    this.prefixes.reserve(1);
    this.ends.reserve(1);
    this.prefixes.values[this.prefixes.length++] = this.#prefix;
    this.ends.values[this.ends.length++] = this.paths.length;
  }

  takeBack(): void {
    this.#numbering.paths.drop();
    this.paths.length = this.#begin;
  }

  #settlePaths(): void {
    const { paths } = this.#numbering;
    paths.settle(this.paths.values, this.#begin);
    for (let at = this.#begin; at < this.paths.length; at++) {
      this.#lastPlaces[this.peerNumbers[at]!] = paths.placeOf(at - this.#begin);
    }
  }

  #growTable(): void {
    const table = new Uint16Array(2 * this.#table.length);
    table.set(this.#table);
    this.#table = table;
  }
}
