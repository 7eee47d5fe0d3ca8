import type { Container, FeedFile } from '../feeds/feed.js';

/**
 * Dumps as their publishers name them: `bview.YYYYMMDD.HHMM.gz` at RIPE RIS, `rib.YYYYMMDD.HHMM.bz2` at RouteViews.
 * Collectors share the names, so each has a folder of its own; those beside the folders are for people's own dumps.
 */
export const RIB_FILES: readonly FeedFile[] = (
  [
    ['bview.*.*.gz', 'gz'],
    ['*/bview.*.*.gz', 'gz'],
    ['*/latest-bview.gz', 'gz'],
    ['rib.*.*.bz2', 'bz2'],
    ['*/rib.*.*.bz2', 'bz2'],
    ['rib.*.*.gz', 'gz'],
    ['*/rib.*.*.gz', 'gz'],
  ] satisfies [name: string, container: Container][]
)
  // Of a collector's dumps the newest is read. Beside the folders a name may be anybody's.
  .map(([name, container]) => ({
    folder: 'rib',
    name,
    container,
    required: false,
    take: name.includes('/') ? 'latest' : 'all',
  }));

/**
 * The collector a dump is of: its folder (`rrc00/bview.20261121.0000.gz` is of `rrc00`), without one what its name
 * begins with, up to the first dot.
 */
export function collectorOf(name: string): string {
  const slash = name.indexOf('/');
  return slash < 0 ? name.slice(0, name.indexOf('.')) : name.slice(0, slash);
}
