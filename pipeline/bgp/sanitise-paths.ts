import { isReservedAsn } from '../net/as-number.js';
import { DistinctPaths, type AsPaths } from './distinct-paths.js';
import { PairIndex } from './pair-index.js';
import { PATH_HAS_CONFEDERATION, PATH_HAS_SET } from './path-table.js';

/** Raw paths, with the flags of `path-table.ts`. */
export interface RawPaths extends AsPaths {
  readonly flags?: Uint8Array;
}

/** The AS numbers with special treatment. */
export interface SanitiseOptions {
  /** Removed from paths. */
  readonly routeServers: ReadonlySet<number>;
  /** Whether an AS number is reserved; paths with one are dropped. Default: the currently reserved numbers. */
  readonly isReserved?: (asn: number) => boolean;
}

/** The counters of raw paths on their way to the links. A path is dropped for one reason, the first in this order. */
export interface PathCounts {
  paths: number;
  /** Paths with prepended ASes. */
  prepended: number;
  /** Paths from which a route server was removed. */
  routeServers: number;
  dropped: {
    sets: number;
    confederations: number;
    loops: number;
    reserved: number;
    /** Paths of fewer than two ASes. */
    short: number;
    /** Paths that are poisoned in every family with them. Counted after the clique is known, until then 0. */
    poisoned: number;
  };
}

/** The distinct paths that are usable for topology. */
export interface SanitisedPaths {
  readonly paths: AsPaths;
  /** By raw path: the number of its distinct path, or DROPPED. */
  readonly becomes: Uint32Array;
  readonly counts: PathCounts;
}

/** Marks a dropped raw path in `becomes`. */
export const DROPPED = 0xffff_ffff;

/**
 * Prepares paths for topology. Collapses prepends and removes route servers. Drops paths with a set, a confederation, a
 * loop (an AS that occurs again after another one) or a reserved AS, and paths of fewer than two ASes. Poisoned paths
 * are dropped later, because that needs the clique.
 */
export function sanitisePaths(raw: RawPaths, options: SanitiseOptions): SanitisedPaths {
  const distinct = new DistinctPaths();
  const walk = new PathWalk(raw, options);
  const becomes = new Uint32Array(raw.offsets.length - 1).fill(DROPPED);
  const dropped = { sets: 0, confederations: 0, loops: 0, reserved: 0, short: 0, poisoned: 0 };
  const counts = { paths: becomes.length, prepended: 0, routeServers: 0, dropped };
  for (let path = 0; path < becomes.length; path++) {
    const flags = raw.flags?.[path] ?? 0;
    walk.read(path);
    if (walk.prepended) counts.prepended++;
    if (flags & PATH_HAS_SET) dropped.sets++;
    else if (flags & PATH_HAS_CONFEDERATION) dropped.confederations++;
    else {
      if (walk.hadRouteServer) counts.routeServers++;
      if (walk.loops) dropped.loops++;
      else if (walk.hasReserved) dropped.reserved++;
      else if (walk.length < 2) dropped.short++;
      else becomes[path] = distinct.add(walk.asns, walk.length);
    }
  }
  return { paths: distinct.paths, becomes, counts };
}

const ROUTE_SERVER = 1;
const RESERVED = 2;

/** One raw path at a time: its remaining AS numbers, and the findings in it. */
class PathWalk {
  asns = new Uint32Array(64);
  length = 0;
  prepended = false;
  hadRouteServer = false;
  hasReserved = false;
  loops = false;

  readonly #raw: RawPaths;
  readonly #options: SanitiseOptions;
  readonly #known = new PairIndex();
  /** By number in `#known`: ROUTE_SERVER, RESERVED or 0. */
  #kinds = new Uint8Array(1024);
  /** By number in `#known`: the number plus 1 of the last path with this AS. */
  #lastPath = new Uint32Array(1024);

  constructor(raw: RawPaths, options: SanitiseOptions) {
    this.#raw = raw;
    this.#options = options;
  }

  read(path: number): void {
    const { offsets, asns } = this.#raw;
    const end = offsets[path + 1]!;
    this.length = 0;
    this.prepended = this.hadRouteServer = this.hasReserved = this.loops = false;
    for (let i = offsets[path]!; i < end; i++) {
      const asn = asns[i]!;
      if (i > offsets[path]! && asns[i - 1] === asn) this.prepended = true;
      else this.#take(asn, path + 1);
    }
  }

  #take(asn: number, stamp: number): void {
    const met = this.#known.size;
    const known = this.#known.add(asn, 0);
    if (known === this.#kinds.length) this.#grow();
    if (known === met) this.#kinds[known] = this.#kindOf(asn);
    const kind = this.#kinds[known]!;
    if (kind === ROUTE_SERVER) {
      this.hadRouteServer = true;
      return;
    }
    if (this.length > 0 && this.asns[this.length - 1] === asn) return;
    if (this.#lastPath[known] === stamp) this.loops = true;
    this.#lastPath[known] = stamp;
    if (kind === RESERVED) this.hasReserved = true;
    if (this.length === this.asns.length) this.asns = grown(this.asns);
    this.asns[this.length++] = asn;
  }

  #kindOf(asn: number): number {
    if (this.#options.routeServers.has(asn)) return ROUTE_SERVER;
    return (this.#options.isReserved ?? isReservedAsn)(asn) ? RESERVED : 0;
  }

  #grow(): void {
    this.#lastPath = grown(this.#lastPath);
    const kinds = new Uint8Array(this.#lastPath.length);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
  }
}

function grown(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(column.length * 2);
  wider.set(column);
  return wider;
}
