import { compareFeeds, type FeedChange } from './compare-feeds.js';
import { compareGeo, type GeoComparison, type GeoTable } from './compare-geo.js';
import type { Release } from './release-store.js';

/** What changed between two releases. A plain object, ready for JSON. */
export interface ReleaseComparison {
  readonly before: string;
  readonly after: string;
  readonly geo: GeoComparison;
  readonly feeds: readonly FeedChange[];
}

/** Compares release `before` with release `after`; `readGeo` loads the geo.mmdb of a release folder. */
export async function compareReleases(
  before: Release,
  after: Release,
  readGeo: (dir: string) => Promise<GeoTable>,
): Promise<ReleaseComparison> {
  const geo = compareGeo(await readGeo(before.dir), await readGeo(after.dir));
  return {
    before: before.id,
    after: after.id,
    geo,
    feeds: compareFeeds(before.manifest, after.manifest),
  };
}
