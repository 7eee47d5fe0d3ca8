import type { RouteColumns } from './route-columns.js';

/** The routes of several dumps, grouped by prefix; within a prefix in the order of the dumps. */
export class EntryRows {
  readonly peers: Uint16Array<ArrayBuffer>;
  readonly paths: Uint32Array<ArrayBuffer>;
  /** The index of the dump of each row. */
  readonly #dumps: Uint16Array;
  /** Undefined if no dump has path identifiers. */
  readonly #pathIds: Uint32Array | undefined;

  constructor(count: number, hasPathIds: boolean) {
    this.peers = new Uint16Array(count);
    this.paths = new Uint32Array(count);
    this.#dumps = new Uint16Array(count);
    this.#pathIds = hasPathIds ? new Uint32Array(count) : undefined;
  }

  /** Writes a dump's routes to the positions in `cursors` (by prefix number) and advances the cursors. */
  scatter(routes: RouteColumns, dump: number, cursors: Uint32Array): void {
    const { prefixes, ends, peerNumbers, paths, pathIds } = routes;
    let from = 0;
    for (let run = 0; run < prefixes.length; run++) {
      const prefix = prefixes.values[run]!;
      const end = ends.values[run]!;
      let to = cursors[prefix]!;
      cursors[prefix] = to + end - from;
      for (; from < end; from++, to++) {
        this.peers[to] = peerNumbers[from]!;
        this.paths[to] = paths.values[from]!;
        this.#dumps[to] = dump;
        if (pathIds) this.#pathIds![to] = pathIds.values[from]!;
      }
    }
  }

  /**
   * Drops each row that repeats a peer, prefix and path identifier of an earlier row. Later rows move up. `starts` has
   * the first row of each prefix and is updated. Calls `onDuplicate` with the dump of every dropped row.
   */
  dropDuplicates(starts: Uint32Array, onDuplicate: (dump: number) => void): void {
    const seen = new SeenPeers();
    let kept = 0;
    let at = 0;
    for (let prefix = 0; prefix + 1 < starts.length; prefix++) {
      const end = starts[prefix + 1]!;
      starts[prefix] = kept;
      seen.clear();
      for (; at < end; at++) {
        const peer = this.peers[at]!;
        if (!seen.add(peer, this.#pathIds ? this.#pathIds[at]! : 0)) {
          onDuplicate(this.#dumps[at]!);
          continue;
        }
        this.peers[kept] = peer;
        this.paths[kept++] = this.paths[at]!;
      }
    }
    starts[starts.length - 1] = kept;
  }
}

/** The peers and path identifiers seen so far for the current prefix. */
class SeenPeers {
  /** By peer: the last turn (prefix) in which it was seen, and its first path identifier in that turn. */
  readonly #turns = new Uint32Array(0x1_0000);
  readonly #firstPathIds = new Uint32Array(0x1_0000);
  /** Pairs of peer and further path identifier in this turn. */
  readonly #further = new Set<number>();
  #turn = 0;

  clear(): void {
    this.#turn++;
    if (this.#further.size > 0) this.#further.clear();
  }

  /** Returns false if the pair was added before. */
  add(peer: number, pathId: number): boolean {
    if (this.#turns[peer] !== this.#turn) {
      this.#turns[peer] = this.#turn;
      this.#firstPathIds[peer] = pathId;
      return true;
    }
    if (this.#firstPathIds[peer] === pathId) return false;
    const count = this.#further.size;
    return this.#further.add(peer * 2 ** 32 + pathId).size > count;
  }
}
