import { SHARE_STEP, FULL_WEIGHT, type Level } from './precedence.js';
import type { ResolvedClaim } from './resolved-claim.js';

/** The result of a vote on one level. */
export interface VoteResult {
  /** The claims that agree with the winner, in the order of the voters. Never empty. */
  readonly winners: readonly ResolvedClaim[];
  /**
   * The winners' share of the total weight in percent, rounded down to a multiple of SHARE_STEP, at least that.
   */
  readonly share: number;
}

/** Whether two claims name the same place on some level. Reflexive and symmetric. */
export type Agree = (a: ResolvedClaim, b: ResolvedClaim) => boolean;

/** The inputs of a voter's weight besides the claim. */
export interface Weighting {
  readonly level: Level;
  /** The countries in which the network is registered, for a vote on the country. */
  readonly registrations?: readonly string[];
}

/** The subject of a vote: its level, and the test whether two claims agree. */
export interface Question extends Weighting {
  readonly agree: Agree;
  /** The support without which nothing is decided; it does not apply to a decisive claim. */
  readonly leastSupport?: number;
}

/**
 * Holds a weighted vote. Every claim is a candidate; its support is the weight of all claims that agree with it, where
 * registrations in one country count once. The greatest support wins; of equal candidates, the first. If `decisive`
 * (one of the voters) is given, it wins whatever the sums are. Returns undefined without voters or enough support.
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
  if (decisive === undefined && most < (question.leastSupport ?? 0)) return undefined;
  const winners = most === total ? voters : voters.filter((voter) => question.agree(winner, voter));
  return { winners, share: shareOf(most, total) };
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

function supportOf(candidate: ResolvedClaim, voters: readonly ResolvedClaim[], question: Question): number {
  let support = 0;
  for (const voter of voters)
    if (question.agree(candidate, voter)) support += shareInSum(voter, voters, question);
  return support;
}

function totalOf(voters: readonly ResolvedClaim[], question: Question): number {
  let total = 0;
  for (const voter of voters) total += shareInSum(voter, voters, question);
  return total;
}

/** Returns what a voter adds to sums: its weight, or 0 if another claim already counts for the same registration. */
function shareInSum(voter: ResolvedClaim, voters: readonly ResolvedClaim[], weighting: Weighting): number {
  const weight = weightOf(voter, weighting);
  if (!repeatsRegistration(voter, weighting)) return weight;
  let isBefore = true;
  for (const other of voters) {
    if (other === voter) isBefore = false;
    else if (other.country === voter.country && repeatsRegistration(other, weighting)) {
      const otherWeight = weightOf(other, weighting);
      if (otherWeight > weight || (otherWeight === weight && isBefore)) return 0;
    }
  }
  return weight;
}

function weightOf(voter: ResolvedClaim, weighting: Weighting): number {
  return repeatsRegistration(voter, weighting) ? voter.weight.registered : voter.weight[weighting.level];
}

/** Whether a voting claim names nothing but a country in which the network is registered. */
export function repeatsRegistration(
  { country, weight }: ResolvedClaim,
  { registrations }: Weighting,
): boolean {
  return (
    registrations !== undefined &&
    weight.rule === 'vote' &&
    weight.detail === 'country' &&
    country !== undefined &&
    registrations.includes(country)
  );
}

function shareOf(weight: number, total: number): number {
  const percent = (100 * weight) / Math.max(total, FULL_WEIGHT);
  return Math.max(SHARE_STEP, Math.floor(percent / SHARE_STEP) * SHARE_STEP);
}
