import { foldName } from '../../gazetteer/place-name.js';
import { isSamePlace } from '../../merge/city-vote.js';
import { decideLocation } from '../../merge/location.js';
import type { Level } from '../../merge/precedence.js';
import { policyNumberOf } from '../../merge/weights.js';
import { registrationsOf } from '../../merge/registration.js';
import type { ResolvedClaim } from '../../merge/resolved-claim.js';
import { repeatsRegistration } from '../../merge/vote.js';
import type { Case } from '../statements.js';

/** One claim in a vote. */
export interface Voter {
  /** The name of the policy's number that is its weight. */
  readonly number: string;
  /** The share of that number which its grade leaves, 0..1. */
  readonly graded: number;
  /** The voters that agree with it, a set of bits by position. */
  readonly agreeing: number;
  /**
   * The voters that repeat the same registration, a set of bits: of these the heaviest counts, of equal ones the first.
   * 0 for other claims.
   */
  readonly repeating: number;
  readonly isRight: boolean;
}

/** The vote on one level of one case. Equal ballots are counted by operator. */
export interface Ballot {
  readonly level: Level;
  readonly voters: readonly Voter[];
  readonly countByOperator: Map<string, number>;
}

/** Returns the distinct ballots of the cases on one level. Cases without a truth or a voter on that level have none. */
export function ballotsOf(cases: readonly Case[], level: Level): Ballot[] {
  const ballots = new Map<string, Ballot>();
  for (const one of cases) {
    const voters = VOTERS[level](one);
    if (voters.length === 0) continue;
    const key = JSON.stringify(voters);
    let ballot = ballots.get(key);
    if (!ballot) ballots.set(key, (ballot = { level, voters, countByOperator: new Map() }));
    ballot.countByOperator.set(one.operator, (ballot.countByOperator.get(one.operator) ?? 0) + 1);
  }
  return [...ballots.values()];
}

const VOTERS: Readonly<Record<Level, (one: Case) => Voter[]>> = {
  country: ({ claims, place }) => {
    const registrations = registrationsOf(claims);
    const voting = byRank(
      claims.filter(({ country, weight }) => country !== undefined && weight.rule === 'vote'),
    );
    const isRepeated = (claim: ResolvedClaim): boolean =>
      repeatsRegistration(claim, { level: 'country', registrations });
    return voting.map((claim) => {
      const isRepeat = isRepeated(claim);
      const detail = isRepeat ? 'registered' : claim.weight.detail;
      return {
        ...weightOf(claim, 'country', detail),
        agreeing: bitsOf(voting, ({ country }) => country === claim.country),
        repeating: isRepeat
          ? bitsOf(voting, (other) => other.country === claim.country && isRepeated(other))
          : 0,
        isRight: claim.country === place.country,
      };
    });
  },
  region: (one) => {
    const { region } = one.place;
    const voting = votersOnPlaces(one).filter((claim) => claim.region !== undefined);
    return region === undefined
      ? []
      : voting.map((claim) => ({
          ...weightOf(claim, 'region'),
          agreeing: bitsOf(voting, (other) => other.region === claim.region),
          repeating: 0,
          isRight: claim.region === region,
        }));
  },
  city: (one) => {
    const { cityId, cityName } = one.place;
    const voting = votersOnPlaces(one).filter((claim) => claim.cityId !== undefined);
    return cityId === undefined && cityName === undefined
      ? []
      : voting.map((claim) => ({
          ...weightOf(claim, 'city'),
          agreeing: bitsOf(voting, (other) => isSamePlace(claim, other)),
          repeating: 0,
          isRight:
            claim.cityId === cityId ||
            (claim.cityText !== undefined && foldName(claim.cityText) === cityName),
        }));
  },
};

/** The claims that may vote on the region and city: those that agree on the country, if it is right. */
function votersOnPlaces({ claims, place }: Case): ResolvedClaim[] {
  if (decideLocation(claims)?.country !== place.country) return [];
  return byRank(claims.filter(({ country, weight }) => country === place.country && weight.rule === 'vote'));
}

/** Of equal candidates the first wins, so ballots have the order of the merge. */
function byRank(claims: readonly ResolvedClaim[]): ResolvedClaim[] {
  return [...claims].sort((a, b) => a.weight.rank - b.weight.rank);
}

function weightOf(
  { weight, country }: ResolvedClaim,
  level: Level,
  detail = weight.detail as Parameters<typeof policyNumberOf>[2],
): Pick<Voter, 'number' | 'graded'> {
  const { name, weight: ungraded } = policyNumberOf({ ...weight, country }, level, detail);
  const weighed = detail === 'registered' ? weight.registered : weight[level];
  return { number: name, graded: weighed / ungraded };
}

function bitsOf(voters: readonly ResolvedClaim[], isIn: (voter: ResolvedClaim) => boolean): number {
  let bits = 0;
  voters.forEach((voter, position) => {
    if (isIn(voter)) bits |= 1 << position;
  });
  return bits;
}
