import type { Claim } from '../input/claims/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { isAnycast } from './anycast.js';
import { liesNear, namesCity, voteOnCity } from './city-vote.js';
import { placementOf } from './placement.js';
import type { Places } from './places.js';
import { confidencesOf, evidenceOf } from './decision-evidence.js';
import type { Evidence } from './confidence.js';
import { LEAST_PLACE_WEIGHT, type Level, type Rule } from './precedence.js';
import { registeredCountryOf, registrationsOf } from './registration.js';
import { ClaimResolver } from './claim-resolver.js';
import type { ResolvedClaim } from './resolved-claim.js';
import { filterClaims, heaviest, vote, type VoteResult } from './vote.js';

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
  readonly evidence?: Partial<Readonly<Record<Level, Evidence>>> | undefined;
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
  const claims = isFree(all) ? filterClaims(all, ({ weight }) => weight.showsUse) : all;
  const registeredCountry = registeredCountryOf(claims);
  if (claims.some(({ lastLevel }) => lastLevel === 'none'))
    return registeredCountry === undefined ? undefined : { registeredCountry };
  const located = byRank(filterClaims(claims, ({ country }) => country !== undefined));
  const strongest = located[0];
  const anycast = isAnycast(claims, strongest) ? ({ isAnycast: true } as const) : undefined;
  if (!strongest) return registeredCountry === undefined ? anycast : { registeredCountry, ...anycast };
  const { rule } = strongest.weight;
  const decisive = rule === 'vote' ? undefined : strongest;
  const question = { ...COUNTRY, registrations: registrationsOf(claims) };
  const country = vote(located, question, decisive)!;
  const isOpen = (level: 'region' | 'city'): boolean => mayDecide(level, strongest, anycast !== undefined);
  const region = isOpen('region') ? voteOnRegion(country.winners, decisive, leastRegionWeight) : undefined;
  const near = nearCoordinatesOf(strongest, cityVoters(region, country, decisive));
  const city = isOpen('city') ? voteOnCity(near, decisive) : undefined;
  const placement = placementOf({ ...{ country, region, city }, isAnycast: anycast !== undefined });
  const evidence = {
    country: evidenceOf(country, question),
    ...(region && { region: evidenceOf(region, REGION) }),
    ...(city && { city: evidenceOf(city.cluster, CITY) }),
  };
  const decider = heaviest(
    country.winners,
    question,
    (winner) => decisive === undefined || winner === decisive,
  )!;
  return {
    country: country.winners[0]!.country,
    region: region?.winners[0]!.region,
    regionName: region?.winners[0]!.regionText,
    cityId: city?.named.cityId,
    cityName: city?.named.cityText,
    ...placement,
    registeredCountry,
    ...anycast,
    decidedBy: decider.weight.feed,
    rule,
    countryFeeds: feedsOf(country),
    regionFeeds: region && feedsOf(region),
    cityFeeds: city && feedsOf(city.cluster),
    ...confidencesOf(evidence, decisive),
    evidence,
  };
}

/** Whether a level may be decided. What the strongest claim is an override for is decided in any case. */
function mayDecide(level: 'region' | 'city', strongest: ResolvedClaim, isAnycast: boolean): boolean {
  const { weight, lastLevel } = strongest;
  const isNamed = level === 'region' ? namesRegion(strongest) : namesCity(strongest);
  if (weight.rule === 'override' && isNamed) return true;
  return !isAnycast && lastLevel !== 'country' && !(level === 'city' && lastLevel === 'region');
}

/** Whether a registry lists the network as available or reserved. */
export function isFree(claims: readonly ResolvedClaim[]): boolean {
  return claims.some(({ weight }) => weight.basis === 'not-delegated');
}

const COUNTRY = {
  level: 'country',
  agree: (a: ResolvedClaim, b: ResolvedClaim) => a.country === b.country,
} as const;
const REGION = {
  level: 'region',
  agree: (a: ResolvedClaim, b: ResolvedClaim) => a.region === b.region && a.regionText === b.regionText,
} as const;
const CITY = { level: 'city' } as const;

/** A text cannot be compared with a code: texts vote only if no claim has a code, or if the text is decisive. */
function voteOnRegion(
  claims: readonly ResolvedClaim[],
  decisive: ResolvedClaim | undefined,
  leastSupport: number,
): VoteResult | undefined {
  const naming = filterClaims(claims, namesRegion);
  const coded = filterClaims(naming, (claim) => claim === decisive || claim.region !== undefined);
  const winner = decisive && namesRegion(decisive) ? decisive : undefined;
  return vote(coded.length > 0 ? coded : naming, { ...REGION, leastSupport }, winner);
}

function namesRegion({ region, regionText }: ResolvedClaim): boolean {
  return region !== undefined || regionText !== undefined;
}

/**
 * Returns the claims that agree on the region, and those without a region code that name a city nearby; without a
 * decided region, the claims that name none.
 */
function cityVoters(
  region: VoteResult | undefined,
  country: VoteResult,
  decisive: ResolvedClaim | undefined,
): readonly ResolvedClaim[] {
  if (!region) return filterClaims(country.winners, (claim) => claim === decisive || !namesRegion(claim));
  const { winners } = region;
  if (winners.length === country.winners.length) return winners;
  return filterClaims(
    country.winners,
    (claim) =>
      claim === decisive ||
      winners.includes(claim) ||
      (claim.region === undefined && liesNear(claim, winners)),
  );
}

/** Returns the claims that may name the city: near the coordinates of an override that names none. */
function nearCoordinatesOf(
  strongest: ResolvedClaim,
  voters: readonly ResolvedClaim[],
): readonly ResolvedClaim[] {
  const { weight, point } = strongest;
  if (weight.rule !== 'override' || point === undefined || namesCity(strongest)) return voters;
  return filterClaims(voters, (claim) => liesNear(claim, [strongest]));
}

function feedsOf({ winners }: VoteResult): number {
  let feeds = 0;
  for (const { weight } of winners) feeds |= weight.bit;
  return feeds;
}

/** Returns the claims in the order of precedence; the same array if they already are. */
function byRank(claims: readonly ResolvedClaim[]): readonly ResolvedClaim[] {
  for (let i = 1; i < claims.length; i++) {
    if (claims[i - 1]!.weight.rank > claims[i]!.weight.rank) {
      return [...claims].sort((a, b) => a.weight.rank - b.weight.rank);
    }
  }
  return claims;
}
