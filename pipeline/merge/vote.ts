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
  const first = voters[0];
  if (first === undefined) return undefined;
  const shares = sharesInSum(voters, question);
  let total = 0;
  for (const share of shares) total += share;
  const ballot = { voters, shares, agree: question.agree };
  let winner = decisive ?? first;
  let most = supportOf(winner, ballot);
  if (decisive === undefined) {
    for (let i = 1; i < voters.length && most < total; i++) {
      const support = supportOf(voters[i]!, ballot);
      if (support <= most) continue;
      most = support;
      winner = voters[i]!;
    }
    if (most < (question.leastSupport ?? 0)) return undefined;
  }
  const winners = most === total ? voters : agreeingWith(winner, ballot);
  return { winners, share: shareOf(most, total) };
}

/** The voters with what each adds to sums. */
interface Ballots {
  readonly voters: readonly ResolvedClaim[];
  readonly shares: readonly number[];
  readonly agree: Agree;
}

/** Returns the claims that pass the test; the same array if all pass. */
export function filterClaims(
  claims: readonly ResolvedClaim[],
  pass: (claim: ResolvedClaim) => boolean,
): readonly ResolvedClaim[] {
  let passing = 0;
  while (passing < claims.length && pass(claims[passing]!)) passing++;
  if (passing === claims.length) return claims;
  const passed = claims.slice(0, passing);
  for (let i = passing + 1; i < claims.length; i++) if (pass(claims[i]!)) passed.push(claims[i]!);
  return passed;
}

/** Returns the claim with the greatest weight that passes the test; of equal ones, the first. */
export function heaviest(
  claims: readonly ResolvedClaim[],
  weighting: Weighting,
  pass: (claim: ResolvedClaim) => boolean,
): ResolvedClaim | undefined {
  let best: ResolvedClaim | undefined;
  let most = -1;
  for (const claim of claims) {
    if (!pass(claim)) continue;
    const weight = weightOf(claim, weighting);
    if (weight <= most) continue;
    most = weight;
    best = claim;
  }
  return best;
}

function supportOf(candidate: ResolvedClaim, { voters, shares, agree }: Ballots): number {
  let support = 0;
  for (let i = 0; i < voters.length; i++) if (agree(candidate, voters[i]!)) support += shares[i]!;
  return support;
}

function agreeingWith(winner: ResolvedClaim, { voters, agree }: Ballots): readonly ResolvedClaim[] {
  const agreeing: ResolvedClaim[] = [];
  for (const voter of voters) if (agree(winner, voter)) agreeing.push(voter);
  return agreeing;
}

function sharesInSum(voters: readonly ResolvedClaim[], weighting: Weighting): number[] {
  const shares: number[] = [];
  for (const voter of voters) {
    const repeats = repeatsRegistration(voter, weighting);
    shares.push(repeats ? shareOfRepeat(voter, voters, weighting) : levelWeight(voter, weighting.level));
  }
  return shares;
}

/** Returns the weight of a repeated registration, or 0 if another claim already counts for it. */
function shareOfRepeat(voter: ResolvedClaim, voters: readonly ResolvedClaim[], weighting: Weighting): number {
  const weight = voter.weight.registered;
  let isBefore = true;
  for (const other of voters) {
    if (other === voter) isBefore = false;
    else if (other.country === voter.country && repeatsRegistration(other, weighting)) {
      const otherWeight = other.weight.registered;
      if (otherWeight > weight || (otherWeight === weight && isBefore)) return 0;
    }
  }
  return weight;
}

function weightOf(voter: ResolvedClaim, weighting: Weighting): number {
  return repeatsRegistration(voter, weighting)
    ? voter.weight.registered
    : levelWeight(voter, weighting.level);
}

/** Returns the weight on a level. Reading a named field is faster than `weight[level]`. */
function levelWeight({ weight }: ResolvedClaim, level: Level): number {
  return level === 'country' ? weight.country : level === 'region' ? weight.region : weight.city;
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
