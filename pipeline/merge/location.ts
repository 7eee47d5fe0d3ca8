import type { Claim } from '../input/claims/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { isAnycast } from './anycast.js';
import { decisiveOf, voteOnLevels, type Contest } from './level-votes.js';
import { placementOf, type Decision } from './placement.js';
import type { Places } from './places.js';
import { confidencesOf, evidenceOf, type LevelEvidence } from './decision-evidence.js';
import { LEAST_PLACE_WEIGHT, type Rule } from './precedence.js';
import { registeredCountryOf, registrationsOf } from './registration.js';
import { ClaimResolver } from './claim-resolver.js';
import type { ResolvedClaim } from './resolved-claim.js';
import { filterClaims, heaviest, type VoteResult } from './vote.js';

/** The decision about one network. A field is absent if no claim gives it. */
export interface Location {
  readonly country?: string | undefined;
  readonly region?: string | undefined;
  readonly regionName?: string | undefined;
  readonly cityId?: number | undefined;
  readonly cityName?: string | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly radiusKm?: number | undefined;
  readonly timeZone?: string | undefined;
  readonly registeredCountry?: string | undefined;
  /** True for a network that is announced from many places. Absent otherwise. */
  readonly isAnycast?: true | undefined;
  /** The feed with the greatest weight among the claims that agree on the country. */
  readonly decidedBy?: FeedId | undefined;
  /** How the country was decided. */
  readonly rule?: Rule | undefined;
  /**
   * The probability in percent that the level is right: 5..95 in fives, or 99. Present with the level that it
   * describes. That of a level is not greater than that of the level above, except for a city that a statement names
   * without its region.
   */
  readonly countryConfidence?: number | undefined;
  readonly regionConfidence?: number | undefined;
  readonly cityConfidence?: number | undefined;
  /** The feeds that agree with the decision, a set of `bitOfFeed`; present with the level that they describe. */
  readonly countryFeeds?: number | undefined;
  readonly regionFeeds?: number | undefined;
  readonly cityFeeds?: number | undefined;
  /** What the confidences rest on; not part of a record. */
  readonly evidence?: LevelEvidence | undefined;
}

/** The claims of one network by feed. Feeds without a claim are absent. */
export type Claims = Partial<Record<FeedId, Claim>>;

/** Resolves the claims of one network and decides; see `decideLocation`. */
export function mergeLocation(
  claims: Claims,
  places: Places,
  leastRegionWeight?: number,
): Location | undefined {
  const resolver = new ClaimResolver(places);
  const resolved = FEED_IDS.flatMap((feed) => {
    const claim = claims[feed];
    return (claim && resolver.resolve(feed, claim)) ?? [];
  });
  return decideLocation(resolved, leastRegionWeight);
}

/**
 * Decides the location of one network from at most one claim per feed, in any order. A pure function.
 *
 * In space that is not delegated, only claims that show use count (`showsUse`). Then:
 *
 * 1. An override wins every level that it names, and nothing is decided where it states that there is nothing.
 * 2. So does a geofeed; without one, what a cloud or an exchange states about its own network.
 * 3. Everything else is a weighted vote: first on the country; then on the region, among the claims that agree on the
 *    country; then on the city, among the claims that agree on the region. A region with less support than
 *    `leastRegionWeight` is not decided, nor a city with less than LEAST_PLACE_WEIGHT.
 * 4. An anycast network has no region and no city, unless an override states them.
 *
 * Returns undefined if no claim names a country, a registered country or anycast.
 */
export function decideLocation(
  all: readonly ResolvedClaim[],
  leastRegionWeight = LEAST_PLACE_WEIGHT,
): Location | undefined {
  const claims = isFree(all) ? filterClaims(all, showsUse) : all;
  const registeredCountry = registeredCountryOf(claims);
  if (excludesPlaces(claims)) return registeredCountry === undefined ? undefined : { registeredCountry };
  const located = byRank(filterClaims(claims, namesCountry));
  const strongest = located[0];
  const isMarked = isAnycast(claims, strongest);
  if (!strongest) return unplaced(registeredCountry, isMarked);
  const contest = { located, registrations: registrationsOf(claims), isAnycast: isMarked, leastRegionWeight };
  return locationOf(contest, voteOnLevels(contest), registeredCountry);
}

/** Every field is written in one literal: spreading optional parts takes several times as long as the decision. */
function locationOf(
  { located, registrations }: Contest,
  decision: Decision,
  registeredCountry: string | undefined,
): Location {
  const { country, region, city } = decision;
  const strongest = located[0]!;
  const decisive = decisiveOf(strongest);
  const weighting = { level: 'country', registrations } as const;
  const { latitude, longitude, radiusKm, timeZone } = placementOf(decision);
  const evidence = {
    country: evidenceOf(country, weighting),
    region: region && evidenceOf(region, REGION),
    city: city && evidenceOf(city.cluster, CITY),
  };
  const confidences = confidencesOf(evidence, decisive);
  const decider = decisive ?? heaviest(country.winners, weighting, isAny)!;
  return {
    country: country.winners[0]!.country,
    region: region?.winners[0]!.region,
    regionName: region?.winners[0]!.regionText,
    cityId: city?.named.cityId,
    cityName: city?.named.cityText,
    latitude,
    longitude,
    radiusKm,
    timeZone,
    registeredCountry,
    isAnycast: decision.isAnycast ? true : undefined,
    decidedBy: decider.weight.feed,
    rule: strongest.weight.rule,
    countryFeeds: feedsOf(country),
    regionFeeds: region && feedsOf(region),
    cityFeeds: city && feedsOf(city.cluster),
    countryConfidence: confidences.country,
    regionConfidence: confidences.region,
    cityConfidence: confidences.city,
    evidence,
  };
}

/** Returns the location of a network without a country. */
function unplaced(registeredCountry: string | undefined, isMarked: boolean): Location | undefined {
  if (registeredCountry === undefined) return isMarked ? { isAnycast: true } : undefined;
  return isMarked ? { registeredCountry, isAnycast: true } : { registeredCountry };
}

/** Whether an override states that the network has no place. */
function excludesPlaces(claims: readonly ResolvedClaim[]): boolean {
  for (const { lastLevel } of claims) if (lastLevel === 'none') return true;
  return false;
}

/** Whether a registry lists the network as available or reserved. */
export function isFree(claims: readonly ResolvedClaim[]): boolean {
  for (const { weight } of claims) if (weight.basis === 'not-delegated') return true;
  return false;
}

const REGION = { level: 'region' } as const;
const CITY = { level: 'city' } as const;

function isAny(): boolean {
  return true;
}

function showsUse({ weight }: ResolvedClaim): boolean {
  return weight.showsUse;
}

function namesCountry({ country }: ResolvedClaim): boolean {
  return country !== undefined;
}

function feedsOf({ winners }: VoteResult): number {
  let feeds = 0;
  for (const { weight } of winners) feeds |= weight.bit;
  return feeds;
}

/** Returns the claims in the order of precedence; the same array if they already are. */
function byRank(claims: readonly ResolvedClaim[]): readonly ResolvedClaim[] {
  let ordered = 1;
  while (ordered < claims.length && claims[ordered - 1]!.weight.rank <= claims[ordered]!.weight.rank)
    ordered++;
  if (ordered >= claims.length) return claims;
  const sorted = claims.slice();
  for (; ordered < sorted.length; ordered++) {
    const claim = sorted[ordered]!;
    let at = ordered;
    for (; at > 0 && sorted[at - 1]!.weight.rank > claim.weight.rank; at--) sorted[at] = sorted[at - 1]!;
    sorted[at] = claim;
  }
  return sorted;
}
