import type { FeedId } from '../../feeds/feed-id.js';
import type { Claims } from '../location.js';
import { CONFIDENCE_STEP, FULL_WEIGHT, weightsOf, type Weights } from '../precedence.js';

/**
 * Returns the confidence by the weights of the policy if `claims` vote on a level and `agreeing` (feed ids with spaces
 * between) agree with the winner. Ignores COPIED_REGISTRATION_WEIGHT.
 */
export function confidenceOf(level: keyof Weights, claims: Claims, agreeing: string): number {
  const weight = weightSum(level, claims, agreeing.split(' ') as FeedId[]);
  const total = Math.max(weightSum(level, claims, Object.keys(claims) as FeedId[]), FULL_WEIGHT);
  return Math.max(CONFIDENCE_STEP, Math.floor((100 * weight) / total / CONFIDENCE_STEP) * CONFIDENCE_STEP);
}

function weightSum(level: keyof Weights, claims: Claims, feeds: readonly FeedId[]): number {
  return feeds.reduce((sum, feed) => sum + weightsOf(feed, claims[feed]!)[level], 0);
}
