import { PATH_HAS_NO_ORIGIN, type PathTable } from '../bgp/path-table.js';
import { isReservedAsn } from '../net/as-number.js';

/** What the origin's end of every path says. Reserved AS numbers stand for what is no network. */
export interface RouteEnds {
  /** By path: the origin, RESERVED_ORIGIN or NO_ORIGIN. */
  readonly origins: Uint32Array;
  /** By path: the hop left of the origin, or NOBODY. */
  readonly upstreams: Uint32Array;
}

/** The path ends in a private or otherwise reserved AS number. */
export const RESERVED_ORIGIN = 0;
/** The path ends in a set of several ASes. */
export const NO_ORIGIN = 0xffff_ffff;
/** The origin is the peer itself, or is not known. */
export const NOBODY = 0;

/**
 * Reads origin and upstream off every path, prepends collapsed and route servers taken out. A path of two hops has
 * the peer for its upstream, a path of one hop nobody.
 */
export function readRouteEnds(paths: PathTable, routeServers: ReadonlySet<number>): RouteEnds {
  const count = paths.flags.length;
  const origins = new Uint32Array(count);
  const upstreams = new Uint32Array(count);
  for (let path = 0; path < count; path++) {
    const start = paths.offsets[path]!;
    const end = paths.offsets[path + 1]!;
    if ((paths.flags[path]! & PATH_HAS_NO_ORIGIN) !== 0 || start === end) {
      origins[path] = NO_ORIGIN;
      continue;
    }
    const origin = paths.asns[end - 1]!;
    if (isReservedAsn(origin)) {
      origins[path] = RESERVED_ORIGIN;
      continue;
    }
    origins[path] = origin;
    for (let at = end - 2; at >= start; at--) {
      const hop = paths.asns[at]!;
      if (hop === origin || routeServers.has(hop)) continue;
      upstreams[path] = hop;
      break;
    }
  }
  return { origins, upstreams };
}
