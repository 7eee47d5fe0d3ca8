import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import type { FeedId } from '../feeds/feed-id.js';
import { weightsOf } from './weights.js';
import { ClaimResolver } from './claim-resolver.js';
import { CITIES, EXAMPLE_PLACES, NO_PLACES } from './testing/example-places.js';

/** Claims that differ in one input of the weight. */
const CLAIMS: readonly (readonly [FeedId, Claim])[] = [
  ['ipapi', { country: 'FR', accuracyClass: 1 }],
  ['ipapi', { country: 'FR', accuracyClass: 5 }],
  ['ipapi', { country: 'FR' }],
  ['ipapi', { country: 'FR', basis: 'registration' }],
  ['ip2region', { country: 'CN' }],
  ['ip2region', { country: 'FR' }],
  ['dbip', { country: 'FR' }],
  ['dbip', { country: 'FR', region: 'FR-ARA' }],
  ['dbip', { country: 'FR', cityName: 'Lyon' }],
];

t.test(
  'a claim has the weight of its feed, basis, detail, country and grade, whatever was resolved before',
  (t) => {
    for (const claims of [CLAIMS, CLAIMS.toReversed()]) {
      const resolver = new ClaimResolver(NO_PLACES);
      for (const [feed, claim] of claims) {
        const detail =
          claim.cityName !== undefined ? 'city' : claim.region !== undefined ? 'region' : 'country';
        const registered = weightsOf(feed, claim, 'registered').country;
        t.match(
          resolver.resolve(feed, claim)?.weight,
          { feed, detail, registered, ...weightsOf(feed, claim, detail) },
          `${feed} ${JSON.stringify(claim)}`,
        );
      }
    }
    t.end();
  },
);

t.test('the detail of a claim is the finest level that is left after its places are resolved', (t) => {
  const resolver = new ClaimResolver(EXAMPLE_PLACES);
  const detailOf = (claim: Claim): string | undefined => resolver.resolve('dbip', claim)?.weight.detail;
  t.equal(detailOf({ country: 'FR', cityId: CITIES.lyon.id }), 'city');
  t.equal(detailOf({ country: 'FR', regionName: 'Rhône-Alpes' }), 'region');
  t.equal(detailOf({ country: 'FR', latitude: 45, longitude: 4 }), 'country');
  t.equal(detailOf({ country: 'HK', region: 'HK-HCW' }), 'country', 'Hong Kong has no regions');
  t.equal(detailOf({ registeredCountry: 'FR' }), 'country');
  t.end();
});

t.test('claims of equal weight share one object', (t) => {
  const resolver = new ClaimResolver(NO_PLACES);
  const claim = { country: 'FR', accuracyClass: 2 };
  const first = resolver.resolve('ipapi', claim);
  t.equal(
    resolver.resolve('ipapi', { ...claim, isp: 'x', latitude: 45, longitude: 4 })?.weight,
    first?.weight,
  );
  t.not(resolver.resolve('ipapi', { ...claim, accuracyClass: 3 })?.weight, first?.weight);
  t.end();
});
