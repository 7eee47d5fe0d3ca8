import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import type { FeedId } from '../feeds/feed-id.js';
import { weightsOf } from './precedence.js';
import { ClaimResolver } from './resolved-claim.js';
import { NO_PLACES } from './testing/example-places.js';

/** Claims that differ in one input of the weight. */
const CLAIMS: readonly (readonly [FeedId, Claim])[] = [
  ['ipapi', { country: 'FR', accuracyClass: 1 }],
  ['ipapi', { country: 'FR', accuracyClass: 5 }],
  ['ipapi', { country: 'FR' }],
  ['ipapi', { country: 'FR', basis: 'registration' }],
  ['ip2region', { country: 'CN' }],
  ['ip2region', { country: 'FR' }],
  ['dbip', { country: 'FR' }],
];

t.test('a claim has the weight of its feed, basis, country and grade, whatever was resolved before', (t) => {
  for (const claims of [CLAIMS, CLAIMS.toReversed()]) {
    const resolver = new ClaimResolver(NO_PLACES);
    for (const [feed, claim] of claims) {
      const weights = weightsOf(feed, claim);
      t.match(
        resolver.resolve(feed, claim)?.weight,
        { feed, ...weights },
        `${feed} ${JSON.stringify(claim)}`,
      );
    }
  }
  t.end();
});

t.test('claims of equal weight share one object', (t) => {
  const resolver = new ClaimResolver(NO_PLACES);
  const claim = { country: 'FR', accuracyClass: 2 };
  const first = resolver.resolve('ipapi', claim);
  t.equal(resolver.resolve('ipapi', { ...claim, cityName: 'Lyon' })?.weight, first?.weight);
  t.not(resolver.resolve('ipapi', { ...claim, accuracyClass: 3 })?.weight, first?.weight);
  t.end();
});
