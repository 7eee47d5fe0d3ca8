import { PATH_ENDS_IN_SET, PATH_HAS_NO_ORIGIN, type PathTable } from '../bgp/path-table.js';
import { isReservedAsn } from '../net/as-number.js';

/**
 * What the origin's end of every path says, three words each, so that they are fetched from memory together: the origin,
 * RESERVED_ORIGIN or NO_ORIGIN; the hop left of it, or NOBODY; whether the path ended in an AS itself, 1, or in a set, 0.
 * Reserved AS numbers stand for what is no network.
 */
export type RouteEnds = Uint32Array;

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
  const ends = new Uint32Array(3 * count);
  for (let path = 0; path < count; path++) {
    const start = paths.offsets[path]!;
    const last = paths.offsets[path + 1]! - 1;
    const flags = paths.flags[path]!;
    const isKnown = (flags & PATH_HAS_NO_ORIGIN) === 0 && last >= start;
    const asn = isKnown ? paths.asns[last]! : NO_ORIGIN;
    const origin = isKnown && isReservedAsn(asn) ? RESERVED_ORIGIN : asn;
    ends[3 * path] = origin;
    ends[3 * path + 2] = (flags & PATH_ENDS_IN_SET) === 0 ? 1 : 0;
    if (origin === NO_ORIGIN || origin === RESERVED_ORIGIN) continue;
    for (let at = last - 1; at >= start; at--) {
      const hop = paths.asns[at]!;
      if (hop === origin || routeServers.has(hop)) continue;
      ends[3 * path + 1] = hop;
      break;
    }
  }
  return ends;
}
