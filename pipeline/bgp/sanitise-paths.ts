import { isReservedAsn } from '../net/as-number.js';
import { DistinctPaths, type AsPaths } from './distinct-paths.js';
import { PairIndex } from './pair-index.js';
import { PATH_HAS_CONFEDERATION, PATH_HAS_SET } from './path-table.js';

/** Raw paths, the flags of `path-table.ts` with them. */
export interface RawPaths extends AsPaths {
  readonly flags?: Uint8Array;
}

/** What to take out of paths, and which ASes drop them. */
export interface SanitiseOptions {
  readonly routeServers: ReadonlySet<number>;
  /** Which AS numbers belong to no network; those of today by default. */
  readonly isReserved?: (asn: number) => boolean;
}

/** What became of the raw paths. Each is dropped for one reason, the first in this order. */
export interface SanitiseCounts {
  readonly paths: number;
  readonly prepended: number;
  readonly routeServers: number;
  readonly dropped: {
    readonly sets: number;
    readonly confederations: number;
    readonly loops: number;
    readonly reserved: number;
    readonly short: number;
  };
}

/** Distinct paths that may feed topology. */
export interface SanitisedPaths {
  readonly paths: AsPaths;
  /** For every raw path the distinct one that it became, or DROPPED. */
  readonly becomes: Uint32Array;
  readonly counts: SanitiseCounts;
}

/** In place of a distinct path: the raw one was dropped. */
export const DROPPED = 0xffff_ffff;

/**
 * Makes paths fit for topology: prepends collapse, route servers go out, and a path with a set, a confederation, a loop
 * (an AS that comes back after another) or a reserved AS, or of fewer than two ASes, is dropped. Poisoned paths are
 * for later: they show only where the clique is known.
 */
export function sanitisePaths(raw: RawPaths, options: SanitiseOptions): SanitisedPaths {
  const distinct = new DistinctPaths();
  const walk = new PathWalk(raw, options);
  const becomes = new Uint32Array(raw.offsets.length - 1).fill(DROPPED);
  const tally = {
    prepended: 0,
    routeServers: 0,
    sets: 0,
    confederations: 0,
    loops: 0,
    reserved: 0,
    short: 0,
  };
  for (let path = 0; path < becomes.length; path++) {
    const flags = raw.flags?.[path] ?? 0;
    walk.read(path);
    if (walk.prepended) tally.prepended++;
    if (flags & PATH_HAS_SET) tally.sets++;
    else if (flags & PATH_HAS_CONFEDERATION) tally.confederations++;
    else {
      if (walk.hadRouteServer) tally.routeServers++;
      if (walk.loops) tally.loops++;
      else if (walk.hasReserved) tally.reserved++;
      else if (walk.length < 2) tally.short++;
      else becomes[path] = distinct.add(walk.asns, walk.length);
    }
  }
  const { prepended, routeServers, ...dropped } = tally;
  const counts = { paths: becomes.length, prepended, routeServers, dropped };
  return { paths: distinct.paths, becomes, counts };
}

const ROUTE_SERVER = 1;
const RESERVED = 2;

/** One raw path at a time: what is left of it, and what was found. */
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
  /** By number in `#known`: ROUTE_SERVER, RESERVED. */
  #kinds = new Uint8Array(1024);
  /** By number in `#known`: the last path that it was kept in, plus 1. */
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
