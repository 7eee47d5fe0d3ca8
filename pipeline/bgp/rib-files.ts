import type { Container, PublishedFile } from '../input/published-source.js';

/**
 * The file names of dumps: `bview.YYYYMMDD.HHMM.gz` at RIPE RIS, `rib.YYYYMMDD.HHMM.bz2` at RouteViews. The names do
 * not contain the collector, so each collector has a folder. Files outside such a folder are dumps that a user added.
 */
export const RIB_FILES: readonly PublishedFile[] = (
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
  // In a collector's folder only the newest dump is read. Outside, the collector is unknown and all are read.
  .map(([name, container]) => ({
    folder: 'rib',
    name,
    container,
    required: false,
    // The largest complete tables have about 4 GB.
    maxUnpackedBytes: 32_000_000_000,
    take: name.includes('/') ? 'latest' : 'all',
  }));

/**
 * Returns the collector of a dump: its folder (`rrc00` for `rrc00/bview.20261121.0000.gz`), or without a folder its
 * name up to the first dot.
 */
export function collectorOf(name: string): string {
  const slash = name.indexOf('/');
  return slash < 0 ? name.slice(0, name.indexOf('.')) : name.slice(0, slash);
}
