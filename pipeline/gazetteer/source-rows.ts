import type { Dr5hnRows } from './dr5hn.js';
import type { GeonamesRows } from './geonames.js';
import type { GeoLite2Rows } from './geolite2-places.js';

/** The rows of each source. */
export interface SourceRows {
  readonly geonames: GeonamesRows;
  readonly geolite2: GeoLite2Rows;
  readonly dr5hn: Dr5hnRows;
}

/** The rows of a missing GeoLite2. */
export const NO_GEOLITE2: GeoLite2Rows = { places: new Map(), regions: new Map() };
