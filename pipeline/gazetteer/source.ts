import type { FeedFile } from '../feeds/feed.js';
import { GEOLITE2_CITY_CSV } from '../feeds/geolite2.js';

/** What the gazetteer is made from. Not a feed: it says what places are called, not where networks are. */
export const GAZETTEER_SOURCE = {
  id: 'gazetteer',
  publisher: 'MaxMind (GeoLite2 City Locations)',
  licence: {
    name: 'GeoLite End User License Agreement',
    url: 'https://www.maxmind.com/en/geolite/eula',
    attribution:
      'This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com',
    terms: 'closed',
  },
  /** Raised with every change that makes the same files read differently; part of the cache key. */
  version: 1,
  files: [GEOLITE2_CITY_CSV] satisfies FeedFile[],
} as const;
