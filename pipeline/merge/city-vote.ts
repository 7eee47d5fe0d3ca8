import { chordBound, isNear } from './distance.js';
import { LEAST_PLACE_WEIGHT, SAME_CITY_KM } from './precedence.js';
import type { ResolvedClaim } from './resolved-claim.js';
import { filterClaims, vote, type VoteResult } from './vote.js';

/** The city that won, and the claims that support it. */
export interface ElectedCity {
  /** The claim that gives the id or text of the city. */
  readonly named: ResolvedClaim;
  /** The claims with the same id or text, in the order of precedence. */
  readonly namesakes: readonly ResolvedClaim[];
  /** All claims of the winning cluster. */
  readonly cluster: VoteResult;
}

/**
 * Elects a city. The cluster of a candidate is every claim within SAME_CITY_KM of it or with the same id. The heaviest
 * cluster wins; within it the heaviest id, or the heaviest text if no claim has an id. `decisive` wins outright if it
 * names a city; else nothing is elected below LEAST_PLACE_WEIGHT. A text without coordinates cannot be compared and
 * takes part only if every other claim is such a text.
 */
export function voteOnCity(
  claims: readonly ResolvedClaim[],
  decisive?: ResolvedClaim,
): ElectedCity | undefined {
  const naming = filterClaims(claims, namesCity);
  const comparable = filterClaims(
    naming,
    decisive ? (claim) => claim === decisive || isComparable(claim) : isComparable,
  );
  const voters = comparable.length > 0 ? comparable : naming;
  const winner = decisive && namesCity(decisive) ? decisive : undefined;
  const cluster = vote(voters, CITY, winner);
  if (!cluster) return undefined;
  const withId = filterClaims(cluster.winners, hasCityId);
  // The text of a decisive claim is kept even if other claims of the cluster have ids.
  const candidates = winner === undefined && withId.length > 0 ? withId : cluster.winners;
  const { winners: namesakes } = vote(candidates, NAME, winner)!;
  return { named: winner ?? namesakes[0]!, namesakes, cluster };
}

/** Whether the claim's city is within SAME_CITY_KM of the city of one of `others`. */
export function liesNear({ point }: ResolvedClaim, others: readonly ResolvedClaim[]): boolean {
  if (point === undefined) return false;
  for (const other of others) {
    if (other.point !== undefined && isNear(point, other.point, SAME_CITY)) return true;
  }
  return false;
}

const SAME_CITY = chordBound(SAME_CITY_KM);

const CITY = { level: 'city', agree: isSamePlace, leastSupport: LEAST_PLACE_WEIGHT } as const;
const NAME = { level: 'city', agree: hasSameName } as const;

/** Whether a claim names a city, by id or as text. */
export function namesCity({ cityId, cityText }: ResolvedClaim): boolean {
  return cityId !== undefined || cityText !== undefined;
}

function hasCityId({ cityId }: ResolvedClaim): boolean {
  return cityId !== undefined;
}

function isComparable({ cityId, point }: ResolvedClaim): boolean {
  return cityId !== undefined || point !== undefined;
}

/** Whether two claims name the same city, or cities within SAME_CITY_KM. */
export function isSamePlace(a: ResolvedClaim, b: ResolvedClaim): boolean {
  if (a === b || (a.cityId !== undefined && a.cityId === b.cityId)) return true;
  if (a.point !== undefined && b.point !== undefined) return isNear(a.point, b.point, SAME_CITY);
  return hasSameName(a, b);
}

/** Equal texts agree. Different texts may name the same city, but that is unknown, so they do not agree. */
function hasSameName(a: ResolvedClaim, b: ResolvedClaim): boolean {
  return a.cityId === b.cityId && a.cityText === b.cityText;
}
