import { PATH_ENDS_IN_SET, PATH_HAS_NO_ORIGIN, type PathTable } from '../bgp/path-table.js';
import { isReservedAsn } from '../net/as-number.js';

/**
 * The origin's end of every path, in three adjacent words: the origin, RESERVED_ORIGIN or NO_ORIGIN; the upstream (the
 * hop before the origin) or NO_UPSTREAM; and 1 if the path ended in an AS, 0 if it ended in a set. Reserved AS numbers
 * serve as special values because no network has them.
 */
export type RouteEnds = Uint32Array;

/** In place of an origin: the path ends in a private or otherwise reserved AS number. */
export const RESERVED_ORIGIN = 0;
/** In place of an origin: the path is empty or ends in a set of several ASes. */
export const NO_ORIGIN = 0xffff_ffff;
/** In place of an upstream: the origin is the peer itself or unknown. */
export const NO_UPSTREAM = 0;

/**
 * Reads the origin and upstream of every path, ignoring prepends and route servers. The upstream of a path of two hops
 * is the peer; a path of one hop has no upstream.
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
