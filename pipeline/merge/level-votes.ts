import { liesNear, namesCity, voteOnCity } from './city-vote.js';
import type { Decision } from './placement.js';
import type { ResolvedClaim } from './resolved-claim.js';
import { filterClaims, vote, type VoteResult } from './vote.js';

/** The claims that take part in the decision about one network. */
export interface Contest {
  /** The claims with a country, in the order of precedence. Never empty. */
  readonly located: readonly ResolvedClaim[];
  /** The countries in which the network is registered. */
  readonly registrations: readonly string[];
  readonly isAnycast: boolean;
  /** The support without which no region is decided. */
  readonly leastRegionWeight: number;
}

/**
 * Decides the levels: first the country; then the region, among the claims that agree on the country; then the city,
 * among the claims that agree on the region.
 */
export function voteOnLevels({ located, registrations, isAnycast, leastRegionWeight }: Contest): Decision {
  const strongest = located[0]!;
  const decisive = decisiveOf(strongest);
  const country = vote(located, { level: 'country', agree: hasSameCountry, registrations }, decisive)!;
  const region = mayDecide('region', strongest, isAnycast)
    ? voteOnRegion(country.winners, decisive, leastRegionWeight)
    : undefined;
  const city = mayDecide('city', strongest, isAnycast)
    ? voteOnCity(nearCoordinatesOf(strongest, cityVoters(region, country, decisive)), decisive)
    : undefined;
  return { country, region, city, isAnycast };
}

/** Returns the claim that wins outright: the strongest one, unless it takes part in the vote. */
export function decisiveOf(strongest: ResolvedClaim): ResolvedClaim | undefined {
  return strongest.weight.rule === 'vote' ? undefined : strongest;
}

/** Whether a level may be decided. What the strongest claim is an override for is decided in any case. */
function mayDecide(level: 'region' | 'city', strongest: ResolvedClaim, isAnycast: boolean): boolean {
  const { weight, lastLevel } = strongest;
  const isNamed = level === 'region' ? namesRegion(strongest) : namesCity(strongest);
  if (weight.rule === 'override' && isNamed) return true;
  return !isAnycast && lastLevel !== 'country' && !(level === 'city' && lastLevel === 'region');
}

function hasSameCountry(a: ResolvedClaim, b: ResolvedClaim): boolean {
  return a.country === b.country;
}

function hasSameRegion(a: ResolvedClaim, b: ResolvedClaim): boolean {
  return a.region === b.region && a.regionText === b.regionText;
}

/** A text cannot be compared with a code: texts vote only if no claim has a code, or if the text is decisive. */
function voteOnRegion(
  claims: readonly ResolvedClaim[],
  decisive: ResolvedClaim | undefined,
  leastSupport: number,
): VoteResult | undefined {
  const naming = filterClaims(claims, namesRegion);
  const coded = filterClaims(
    naming,
    decisive ? (claim) => claim === decisive || hasRegionCode(claim) : hasRegionCode,
  );
  const winner = decisive && namesRegion(decisive) ? decisive : undefined;
  const question = { level: 'region', agree: hasSameRegion, leastSupport } as const;
  return vote(coded.length > 0 ? coded : naming, question, winner);
}

function hasRegionCode({ region }: ResolvedClaim): boolean {
  return region !== undefined;
}

function namesRegion({ region, regionText }: ResolvedClaim): boolean {
  return region !== undefined || regionText !== undefined;
}

function namesNoRegion(claim: ResolvedClaim): boolean {
  return !namesRegion(claim);
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
  if (!region) {
    return filterClaims(
      country.winners,
      decisive ? (claim) => claim === decisive || !namesRegion(claim) : namesNoRegion,
    );
  }
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
