import type { AnycastSource, Claim } from '../../input/claims/claim.js';
import { present } from '../../mmdb/present.js';

/** The layers of the feed `own`, the strongest first. */
export const OWN_LAYERS = [
  'override',
  'geofeed',
  'referenced-geofeed',
  'cloud',
  'exchange',
  'unreferenced-geofeed',
  'anycast',
  'whois',
  'delegation',
  'free',
] as const;

/** The indexes of the layers in OWN_LAYERS. */
export const OVERRIDE = 0;
export const GEOFEED = 1;
/** Geofeeds that were found through registrations, inside the blocks whose registration names them. */
export const REFERENCED = 2;
export const CLOUD = 3;
export const EXCHANGE = 4;
/** The other rows of such geofeeds: observations. */
export const UNREFERENCED = 5;
export const ANYCAST_LIST = 6;
export const WHOIS = 7;
export const DELEGATION = 8;
export const FREE = 9;

/**
 * The claim of an operator that asks for no location (RFC 8805 §2.1.2). It is inserted into the geofeed layer and so
 * hides all weaker layers.
 */
export const NOT_LOCATED: Claim = { basis: 'geofeed' };

/** The claim of a registry that lists space as available or reserved. */
export const FREE_SPACE: Claim = { basis: 'not-delegated' };

/**
 * Combines the layers of `own` for one network. The location is that of the strongest layer that has one. What an
 * override does not state is that of the strongest statement of an operator, if they agree. The country of registration is that of the delegation, else of whois. An override without a location adds
 * only its ISP. In free space, whois blocks are ignored: they may be those of the registry. Anycast is added to any
 * location. Entry i of `claims` is the claim of layer i.
 */
export function combineOwn(claims: readonly (Claim | undefined)[]): Claim | undefined {
  const override = claims[OVERRIDE];
  const located = locatingClaim(claims);
  const registeredCountry = registrationIn(claims)?.country;
  const isp = override?.isp;
  const anycast = anycastIn(claims);
  if ((located ?? isp ?? registeredCountry ?? anycast) === undefined) return undefined;
  return {
    ...(located ?? { basis: isp === undefined ? 'registration' : 'override' }),
    ...(isp !== undefined && { isp }),
    ...(registeredCountry !== undefined && { registeredCountry }),
    ...(anycast !== undefined && { anycast }),
  };
}

/** Returns what the cloud states. A list counts only where no cloud and no exchange states a place. */
function anycastIn(claims: readonly (Claim | undefined)[]): AnycastSource | undefined {
  const cloud = claims[CLOUD];
  if (cloud?.anycast !== undefined) return cloud.anycast;
  const hasPlace = cloud?.country !== undefined || claims[EXCHANGE] !== undefined;
  return hasPlace ? undefined : claims[ANYCAST_LIST]?.anycast;
}

/**
 * Combines the layers for one network whose operator states its place, as if that statement did not exist: what is left
 * are overrides, anycast lists, whois and delegation. Rows of geofeeds outside of their blocks are left out as well,
 * because such a row may be another part of that statement. Returns undefined for other networks, and if nothing is left.
 */
export function combineUnstated(claims: readonly (Claim | undefined)[]): Claim | undefined {
  if (combineOwn(claims)?.statedBy === undefined) return undefined;
  return combineOwn(
    claims.map((claim, layer) =>
      claim?.statedBy === undefined && layer !== UNREFERENCED ? claim : undefined,
    ),
  );
}

function locatingClaim(claims: readonly (Claim | undefined)[]): Claim | undefined {
  const override = claims[OVERRIDE];
  if (override?.lastLevel === 'none') return override;
  if (override && hasLocation(override)) return completed(override, statementIn(claims));
  const geofeed = geofeedIn(claims);
  if (geofeed && !hasLocation(geofeed)) return undefined;
  const statement = statementIn(claims);
  if (statement) return statement;
  const registration = registrationIn(claims);
  if (registration !== undefined && registration === claims[FREE]) return registration;
  return claims[UNREFERENCED] ?? claims[WHOIS] ?? registration;
}

function geofeedIn(claims: readonly (Claim | undefined)[]): Claim | undefined {
  return claims[GEOFEED] ?? claims[REFERENCED];
}

/** Returns the place that the operator states: in a geofeed, as a cloud or as an exchange. */
function statementIn(claims: readonly (Claim | undefined)[]): Claim | undefined {
  const geofeed = geofeedIn(claims);
  if (geofeed) return hasLocation(geofeed) ? geofeed : undefined;
  const cloud = claims[CLOUD];
  return cloud && hasLocation(cloud) ? cloud : claims[EXCHANGE];
}

/** Returns an override with the region, city and coordinates of a statement, where it states none and they agree. */
function completed(override: Claim, statement: Claim | undefined): Claim {
  const { country, lastLevel, cityName } = override;
  if (!statement || statement.country !== country || lastLevel === 'country' || cityName !== undefined)
    return override;
  const namesRegion = (override.region ?? override.regionName) !== undefined;
  const isSameRegion = override.region === statement.region && override.regionName === statement.regionName;
  if (namesRegion && !isSameRegion) return override;
  const { region, regionName, latitude, longitude } = statement;
  const place = present({ region, regionName, ...override });
  if (lastLevel === 'region' || statement.cityName === undefined) return place;
  const position = override.coordinates === 'none' ? {} : { latitude, longitude };
  return present({ cityName: statement.cityName, ...position, ...place });
}

/** Returns the claim with the country of registration; in free space, the claim that there is none. */
function registrationIn(claims: readonly (Claim | undefined)[]): Claim | undefined {
  return claims[DELEGATION] ?? claims[FREE] ?? claims[WHOIS];
}

/** Whether a claim has a location. Every claim of this feed with a location has a country. */
function hasLocation(claim: Claim): boolean {
  return claim.country !== undefined;
}
