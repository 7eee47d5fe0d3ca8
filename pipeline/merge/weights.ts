import type { Claim } from '../input/claims/claim.js';
import type { FeedId } from '../feeds/feed-id.js';
import {
  DEFAULT_WEIGHTS,
  DETAILS,
  POLICY,
  type Basis,
  type BasisWeights,
  type Detail,
  type Level,
  type LevelWeights,
  type Weights,
} from './precedence.js';

/** Returns the weights of one claim. */
export function weightsOf(feed: FeedId, { basis, country, accuracyClass }: Claim, detail: Detail): Weights {
  const { line, weights } = lineOf(feed, basis ?? 'observation', country);
  const percent = accuracyClass === undefined ? 100 : (line.percentByGrade?.[accuracyClass - 1] ?? 100);
  const scaled = (weight: number): number => Math.max(1, Math.round((weight * percent) / 100));
  return {
    country: scaled(weights.country[DETAILS.indexOf(detail)]!),
    region: scaled(weights.region),
    city: scaled(weights.city),
  };
}

/** A number of the policy. */
export interface PolicyNumber {
  /** Its line and column: `geolite2 observation, country of city`, `qqwry observation within CN, region`. */
  readonly name: string;
  readonly weight: number;
}

/** Returns the number of the policy that is the weight of a claim on a level, before its grade. */
export function policyNumberOf(
  {
    feed,
    basis,
    country,
  }: { readonly feed: FeedId; readonly basis: Basis; readonly country: string | undefined },
  level: Level,
  detail: Detail,
): PolicyNumber {
  const { line, weights } = lineOf(feed, basis, country);
  const where = weights === line ? '' : ` within ${country!}`;
  const column = level === 'country' ? `country of ${detail}` : level;
  const weight = level === 'country' ? weights.country[DETAILS.indexOf(detail)]! : weights[level];
  return { name: `${feed} ${basis}${where}, ${column}`, weight };
}

/** Returns the line of a feed and basis, and the part of it that applies to claims of a country. */
function lineOf(
  feed: FeedId,
  basis: Basis,
  country: string | undefined,
): { readonly line: BasisWeights; readonly weights: LevelWeights } {
  const line = POLICY[feed][basis] ?? DEFAULT_WEIGHTS[basis];
  return { line, weights: (country === undefined ? undefined : line.within?.[country]) ?? line };
}
