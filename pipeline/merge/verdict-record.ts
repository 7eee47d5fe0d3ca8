import type { Claim, ClaimBasis } from '../feeds/claim.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { map } from '../mmdb/schema.js';
import { present } from './present.js';
import { namesAsSpelled } from './spelling.js';

/** A record of `sources/<feed>.mmdb`: what that feed itself says, resolved to places but not merged. */
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
});

/** Raised with every change to what verdicts hold: part of the key under which a dataset is found again. */
export const VERDICT_VERSION = 2;

/** Languages of the names in verdicts. */
export const VERDICT_LANGUAGES = ['en', 'zh-CN'] as const;

/** One feed's word on a network. Absent where the feed says nothing. */
export interface Verdict {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** ISO 3166-2. */
  readonly region?: string;
  /** English and Chinese names, or the feed's own spelling where the gazetteer has none. */
  readonly region_name?: string;
  readonly region_zh?: string;
  /** GeoNames id. */
  readonly city_id?: number;
  /** As for regions. */
  readonly city?: string;
  readonly city_zh?: string;
  readonly isp?: string;
  /** Degrees; the feed's own, never the gazetteer's. */
  readonly latitude?: number;
  readonly longitude?: number;
  /** How the feed knows; absent for an ordinary observation. */
  readonly basis?: ClaimBasis;
}

/** The verdict of a claim whose places have been resolved. */
export function verdictOf(claim: Claim, gazetteer: Gazetteer): Verdict {
  const { country, region, regionName, cityId, cityName, latitude, longitude, basis } = claim;
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
  });
}
