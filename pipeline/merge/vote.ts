import { CONFIDENCE_STEP, COPIED_REGISTRATION_WEIGHT, FULL_WEIGHT, type Weights } from './precedence.js';
import type { ResolvedClaim } from './resolved-claim.js';

/** A level of a location that is voted on. */
export type Level = keyof Weights;

/** The result of a vote on one level. */
export interface VoteResult {
  /** The claims that agree with the winner, in the order of the voters. Never empty. */
  readonly winners: readonly ResolvedClaim[];
  /**
   * The winners' share of the total weight in percent, rounded down to a multiple of CONFIDENCE_STEP, at least that.
   */
  readonly confidence: number;
}

/** Whether two claims name the same place on some level. Reflexive and symmetric. */
export type Agree = (a: ResolvedClaim, b: ResolvedClaim) => boolean;

/** The inputs of a voter's weight besides the claim. */
export interface Weighting {
  readonly level: Level;
  /** The registered country, if claims that copy it have a limited weight (COPIED_REGISTRATION_WEIGHT). */
  readonly registeredCountry?: string | undefined;
}

/** The subject of a vote: its level, and the test whether two claims agree. */
export interface Question extends Weighting {
  readonly agree: Agree;
}

/**
 * Holds a weighted vote. Every claim is a candidate; its support is the weight of all claims that agree with it. The
 * greatest support wins; of equal candidates, the first. If `decisive` (one of the voters) is given, it wins whatever
 * the sums are. Returns undefined without voters.
 */
export function vote(
  voters: readonly ResolvedClaim[],
  question: Question,
  decisive?: ResolvedClaim,
): VoteResult | undefined {
  const [first] = voters;
  if (first === undefined) return undefined;
  let winner = decisive ?? first;
  let most = supportOf(winner, voters, question);
  const total = totalOf(voters, question);
  for (const candidate of voters) {
    if (decisive !== undefined || most === total) break;
    const support = supportOf(candidate, voters, question);
    if (support <= most) continue;
    most = support;
    winner = candidate;
  }
  const winners = most === total ? voters : voters.filter((voter) => question.agree(winner, voter));
  return { winners, confidence: shareOf(most, total) };
}

/** Returns the claims that pass the test; the same array if all pass. */
export function filterClaims(
  claims: readonly ResolvedClaim[],
  pass: (claim: ResolvedClaim) => boolean,
): readonly ResolvedClaim[] {
  for (const claim of claims) if (!pass(claim)) return claims.filter(pass);
  return claims;
}

/** Returns the claim with the greatest weight that passes the test; of equal ones, the first. */
export function heaviest(
  claims: readonly ResolvedClaim[],
  weighting: Weighting,
  pass: (claim: ResolvedClaim) => boolean,
): ResolvedClaim | undefined {
  let best: ResolvedClaim | undefined;
  for (const claim of claims) {
    if (!pass(claim)) continue;
    if (best === undefined || weightOf(claim, weighting) > weightOf(best, weighting)) best = claim;
  }
  return best;
}

/** Whether a voting claim names a country and no place in it. */
export function namesOnlyCountry({ region, regionText, cityId, cityText, weight }: ResolvedClaim): boolean {
  return (
    weight.rule === 'vote' &&
    (region ?? regionText) === undefined &&
    cityId === undefined &&
    cityText === undefined
  );
}

function supportOf(candidate: ResolvedClaim, voters: readonly ResolvedClaim[], question: Question): number {
  let support = 0;
  for (const voter of voters) if (question.agree(candidate, voter)) support += weightOf(voter, question);
  return support;
}

function totalOf(voters: readonly ResolvedClaim[], question: Question): number {
  let total = 0;
  for (const voter of voters) total += weightOf(voter, question);
  return total;
}

function weightOf(voter: ResolvedClaim, { level, registeredCountry }: Weighting): number {
  const weight = voter.weight[level];
  return registeredCountry === voter.country && namesOnlyCountry(voter)
    ? Math.min(weight, COPIED_REGISTRATION_WEIGHT)
    : weight;
}

function shareOf(weight: number, total: number): number {
  const share = (100 * weight) / Math.max(total, FULL_WEIGHT);
  return Math.max(CONFIDENCE_STEP, Math.floor(share / CONFIDENCE_STEP) * CONFIDENCE_STEP);
}
