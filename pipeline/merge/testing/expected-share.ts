import type { Claim } from '../../input/claims/claim.js';
import type { FeedId } from '../../feeds/feed-id.js';
import type { Claims } from '../location.js';
import { SHARE_STEP, FULL_WEIGHT, RULE_OF, type Detail, type Level } from '../precedence.js';
import { weightsOf } from '../weights.js';

/**
 * Returns the share by the weights of the policy if `claims` vote on a level and `agreeing` (feed ids with spaces
 * between) agree with the winner.
 */
export function shareOf(level: Level, claims: Claims, agreeing: string): number {
  const weight = supportOf(level, claims, agreeing.split(' ') as FeedId[]);
  const total = Math.max(supportOf(level, claims, Object.keys(claims) as FeedId[]), FULL_WEIGHT);
  return Math.max(SHARE_STEP, Math.floor((100 * weight) / total / SHARE_STEP) * SHARE_STEP);
}

/** Returns the sum of the weights of some claims of a network. Registrations in one country count once. */
export function supportOf(level: Level, claims: Claims, feeds: readonly FeedId[]): number {
  const registrations = registrationsIn(claims);
  const voices = new Map<string, number>();
  let sum = 0;
  for (const feed of feeds) {
    const claim = claims[feed]!;
    const detail = detailOf(claim, registrations);
    const weight = weightsOf(feed, claim, detail)[level];
    if (level === 'country' && detail === 'registered') {
      voices.set(claim.country!, Math.max(weight, voices.get(claim.country!) ?? 0));
    } else sum += weight;
  }
  return [...voices.values()].reduce((total, voice) => total + voice, sum);
}

function registrationsIn(claims: Claims): ReadonlySet<string | undefined> {
  const based = Object.values(claims).filter(({ basis }) => basis === 'registration');
  const registered = claims.own?.registeredCountry ?? claims.geolite2?.registeredCountry;
  return new Set([registered, ...based.map(({ country }) => country)]);
}

/** Returns the detail of a claim of a country with regions. */
function detailOf(claim: Claim, registrations: ReadonlySet<string | undefined>): Detail {
  const { basis, country, region, regionName, cityId, cityName } = claim;
  if ((cityId ?? cityName) !== undefined) return 'city';
  if ((region ?? regionName) !== undefined) return 'region';
  return RULE_OF[basis ?? 'observation'] === 'vote' && registrations.has(country) ? 'registered' : 'country';
}
