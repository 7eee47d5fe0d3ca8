import { scorecardIn } from './accuracy.js';
import { compareFeeds, type FeedChange } from './compare-feeds.js';
import { compareGeo, type GeoComparison, type GeoTable } from './compare-geo.js';
import { compareTypes, type TypeComparison, type TypeTable } from './compare-types.js';
import { compareRoutes, type RouteComparison, type RouteOrigins } from './compare-routes.js';
import type { Release } from './release-store.js';
import type { Scorecard } from './scorecard.js';

/** The changes between two releases. A plain object, ready for JSON. */
export interface ReleaseComparison {
  readonly before: string;
  readonly after: string;
  readonly geo: GeoComparison;
  /** Absent when either release has no routing table. */
  readonly routes?: RouteComparison;
  /** Changes of proxy types; absent when either release has no ISP dataset. */
  readonly types?: TypeComparison;
  /** Absent when either release has no scorecard. */
  readonly accuracy?: AccuracyComparison;
  readonly feeds: readonly FeedChange[];
}

/** The scorecards of two releases. */
export interface AccuracyComparison {
  readonly before: Scorecard;
  readonly after: Scorecard;
}

/** Functions that load the datasets of a release folder. */
export interface DatasetReaders {
  readonly geo: (dir: string) => Promise<GeoTable>;
  readonly routes: (dir: string) => Promise<RouteOrigins>;
  readonly types: (dir: string) => Promise<TypeTable>;
}

/** Compares release `before` with release `after`. */
export async function compareReleases(
  before: Release,
  after: Release,
  read: DatasetReaders,
): Promise<ReleaseComparison> {
  const geo = compareGeo(await read.geo(before.dir), await read.geo(after.dir));
  const both = (name: string): boolean => has(before, name) && has(after, name);
  const types = both('isp.mmdb')
    ? compareTypes(await read.types(before.dir), await read.types(after.dir))
    : undefined;
  const routes = both('routes.mmdb')
    ? compareRoutes(await read.routes(before.dir), await read.routes(after.dir))
    : undefined;
  const [cardBefore, cardAfter] = [before, after].map(({ manifest }) => scorecardIn(manifest.datasets));
  return {
    before: before.id,
    after: after.id,
    geo,
    ...(routes && { routes }),
    ...(types && { types }),
    ...(cardBefore && cardAfter && { accuracy: { before: cardBefore, after: cardAfter } }),
    feeds: compareFeeds(before.manifest, after.manifest),
  };
}

function has({ manifest }: Release, file: string): boolean {
  return manifest.files.some(({ name }) => name === file);
}
