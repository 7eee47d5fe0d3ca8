import type { Claim } from '../feeds/claim.js';
import type { FeedId } from '../feeds/feed-id.js';
import { present } from './present.js';
import { PRECEDENCE, REGISTERED_COUNTRY_PRECEDENCE, type Rank } from './precedence.js';

/** What the merge decides about one network. Absent means nobody whose word counts knows. */
export interface Location {
  readonly country?: string;
  readonly region?: string;
  readonly regionName?: string;
  readonly cityId?: number;
  readonly cityName?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly radiusKm?: number;
  readonly timeZone?: string;
  readonly registeredCountry?: string;
  /** The feed whose country was taken. */
  readonly decidedBy?: FeedId;
}

/** What each feed says about one network; feeds without a word are left out. */
export type Claims = Partial<Record<FeedId, Claim>>;

/**
 * Merges what the feeds say about one network, a pure function: the claim that stands first in PRECEDENCE decides,
 * and later ones refine it level by level as long as they agree with every level decided so far. Absent when
 * nobody says anything.
 */
export function mergeLocation(claims: Claims): Location | undefined {
  const ranked = PRECEDENCE.flatMap((rank) => {
    const claim = claims[rank.feed];
    return claim?.country !== undefined && basisOf(claim) === rank.basis ? [{ rank, claim }] : [];
  });
  const registeredCountry = registeredCountryOf(claims);
  const [first, ...rest] = ranked;
  if (!first) return registeredCountry === undefined ? undefined : { registeredCountry };
  const refining = first.rank.refinable ? rest : [];
  const located = refining.reduce<Location>((location, { claim }) => refine(location, claim), decide(first));
  return { ...located, ...(registeredCountry === undefined ? {} : { registeredCountry }) };
}

/** The location of one claim, its fields as they stand. */
function decide({ rank, claim }: { rank: Rank; claim: Claim }): Location {
  const { country, region, regionName, cityId, cityName, latitude, longitude, radiusKm, timeZone } = claim;
  const place = { country, region, regionName, cityId, cityName, latitude, longitude, radiusKm, timeZone };
  return { ...present(place), decidedBy: rank.feed };
}

/**
 * Adds the levels that `claim` knows and `location` does not: region, then city, then coordinates, each only where
 * the two agree on everything above it.
 */
function refine(location: Location, claim: Claim): Location {
  if (claim.country !== location.country || !isFinerThanCountry(claim)) return location;
  // A region that is only a text cannot be compared: nothing below it is known to agree.
  if (location.regionName !== undefined && location.region === undefined) return location;
  const region = location.region ?? claim.region;
  if (claim.region !== region) return location;
  const regionName = location.region === undefined ? claim.regionName : undefined;
  const withRegion = { ...location, ...present({ region, regionName }) };
  if (hasCity(location) && !sameCity(location, claim)) return withRegion;
  const city = hasCity(location) ? {} : present({ cityId: claim.cityId, cityName: claim.cityName });
  return { ...withRegion, ...city, ...coordinatesFor(location, claim) };
}

function isFinerThanCountry(claim: Claim): boolean {
  const { region, regionName, latitude, timeZone } = claim;
  return hasCity(claim) || (region ?? regionName ?? latitude ?? timeZone) !== undefined;
}

/** Coordinates and time zone of an agreeing claim, where the location has none of its own. */
function coordinatesFor(location: Location, claim: Claim): Partial<Location> {
  const timeZone = location.timeZone ?? claim.timeZone;
  if (location.latitude !== undefined) return present({ timeZone });
  const { latitude, longitude, radiusKm } = claim;
  return present({ latitude, longitude, radiusKm, timeZone });
}

function hasCity(place: Location | Claim): boolean {
  return place.cityId !== undefined || place.cityName !== undefined;
}

/** Places are compared by id, never by name. */
function sameCity(location: Location, claim: Claim): boolean {
  return location.cityId !== undefined && location.cityId === claim.cityId;
}

function registeredCountryOf(claims: Claims): string | undefined {
  for (const feed of REGISTERED_COUNTRY_PRECEDENCE) {
    const country = claims[feed]?.registeredCountry;
    if (country !== undefined) return country;
  }
  return undefined;
}

function basisOf(claim: Claim): Rank['basis'] {
  return claim.basis ?? 'observation';
}
