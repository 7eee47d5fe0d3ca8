import type { Claim } from '../feeds/claim.js';
import type { FeedId } from '../feeds/feed-id.js';
import type { FlatTable } from '../table/flat-table.js';
import { ABSENT, zip } from '../table/zip.js';
import { mergeLocation, type Claims, type Location } from './location.js';

/** One feed's normalised table and the claims its ids stand for. */
export interface FeedTable {
  readonly feed: FeedId;
  readonly table: FlatTable;
  readonly claims: readonly Claim[];
}

/** The merged table and the locations its ids stand for. */
export interface MergedTable {
  readonly table: FlatTable;
  readonly locations: readonly Location[];
}

/** Zips the feeds' tables, deciding each distinct combination of claims once. */
export function mergeTables(feeds: readonly FeedTable[]): MergedTable {
  const locations: Location[] = [];
  const ids = new Map<string, number>();
  const table = zip(
    feeds.map((feed) => feed.table),
    (claimIds) => {
      const claims: Claims = {};
      feeds.forEach((feed, i) => {
        const claim = claimIds[i] === ABSENT ? undefined : feed.claims[claimIds[i]!];
        if (claim) claims[feed.feed] = claim;
      });
      const location = mergeLocation(claims);
      if (!location) return ABSENT;
      const key = keyOf(location);
      const held = ids.get(key);
      if (held !== undefined) return held;
      ids.set(key, locations.length);
      return locations.push(location) - 1;
    },
  );
  return { table, locations };
}

const FIELDS = [
  'country',
  'region',
  'regionName',
  'cityId',
  'cityName',
  'latitude',
  'longitude',
  'radiusKm',
  'timeZone',
  'registeredCountry',
  'decidedBy',
] as const satisfies readonly (keyof Location)[];

function keyOf(location: Location): string {
  return FIELDS.map((field) => location[field] ?? '').join('\u0000');
}
