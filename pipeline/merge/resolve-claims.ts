import type { Claim } from '../feeds/claim.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { present } from './present.js';

/** Claims with ids for names where the gazetteer knows the place, and how many distinct names it did not know. */
export interface ResolvedClaims {
  readonly claims: readonly Claim[];
  /** Claims whose region or city stays a text. */
  readonly unresolved: number;
}

/**
 * Gives places their ids: region text becomes an ISO 3166-2 code, city text a GeoNames id, both within the country.
 * What stays unresolved keeps its text. Works on distinct claims, so the rows behind them cost nothing.
 */
export function resolveClaims(claims: readonly Claim[], gazetteer: Gazetteer): ResolvedClaims {
  let unresolved = 0;
  const resolved = claims.map((claim) => {
    const found = resolveClaim(claim, gazetteer);
    const isText =
      found.regionName !== undefined || (found.cityId === undefined && found.cityName !== undefined);
    if (isText) unresolved++;
    return found;
  });
  return { claims: resolved, unresolved };
}

function resolveClaim(claim: Claim, gazetteer: Gazetteer): Claim {
  const { country, cityName } = claim;
  if (country === undefined) return claim;
  const named = claim.regionName === undefined ? undefined : gazetteer.parseRegion(claim.regionName, country);
  const place =
    cityName === undefined || claim.cityId !== undefined
      ? undefined
      : gazetteer.findCity(cityName, country, claim.region ?? named);
  const region = claim.region ?? named ?? place?.region;
  return present({
    ...claim,
    region,
    regionName: region === undefined ? claim.regionName : undefined,
    cityId: claim.cityId ?? place?.id,
    cityName: place ? undefined : cityName,
    timeZone: claim.timeZone ?? place?.timeZone,
  });
}
