import type { Claim, ClaimBasis } from '../input/claims/claim.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { map } from '../mmdb/schema.js';
import { present } from '../mmdb/present.js';
import { namesAsSpelled } from '../gazetteer/place-name.js';

/** The record schema of `sources/<feed>.mmdb`: the feed's claim with its places resolved, before the merge. */
export const VERDICT_SCHEMA = map({
  country: 'string',
  region: 'string',
  region_name: 'string',
  region_zh: 'string',
  city_id: 'uint32',
  city: 'string',
  city_zh: 'string',
  isp: 'string',
  latitude: 'double',
  longitude: 'double',
  basis: 'string',
  is_anycast: 'boolean',
});

/** Part of the cache key of verdict files; raise it with every change to their records. */
export const VERDICT_VERSION = 4;

/** The languages of the names in verdicts. */
export const VERDICT_LANGUAGES = ['en', 'zh-CN'] as const;

/** The verdict of one feed about a network. Fields that the feed does not give are absent. */
export interface Verdict {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** ISO 3166-2. */
  readonly region?: string;
  /** The gazetteer's English and Chinese names, or the feed's spelling if the gazetteer has none. */
  readonly region_name?: string;
  readonly region_zh?: string;
  /** GeoNames id. */
  readonly city_id?: number;
  /** The same for the city. */
  readonly city?: string;
  readonly city_zh?: string;
  readonly isp?: string;
  /** Degrees, as the feed gives them; never the gazetteer's. */
  readonly latitude?: number;
  readonly longitude?: number;
  /** How the feed knows the place; absent for an ordinary observation. */
  readonly basis?: ClaimBasis;
  /** True if the feed says that the network is announced from many places. Absent otherwise. */
  readonly is_anycast?: true;
}

/** Returns the verdict record of a claim after `resolvePlaces`. */
export function verdictOf(claim: Claim, gazetteer: Gazetteer): Verdict {
  const { country, region, regionName, cityId, cityName, latitude, longitude, basis, anycast } = claim;
  const regionNames = region === undefined ? undefined : gazetteer.regionOf(region)?.names;
  const cityNames = cityId === undefined ? undefined : gazetteer.placeOf(cityId)?.names;
  const regionSpelled = regionName === undefined ? undefined : namesAsSpelled(regionName);
  const citySpelled = cityName === undefined ? undefined : namesAsSpelled(cityName);
  return present({
    country,
    region,
    region_name: regionNames?.en ?? regionSpelled?.en,
    region_zh: regionNames?.['zh-CN'] ?? regionSpelled?.['zh-CN'],
    city_id: cityId,
    city: cityNames?.en ?? citySpelled?.en,
    city_zh: cityNames?.['zh-CN'] ?? citySpelled?.['zh-CN'],
    isp: claim.isp ?? claim.asName,
    latitude,
    longitude,
    basis,
    is_anycast: anycast && (true as const),
  });
}
