import t from 'tap';
import type { Claim } from '../../input/claims/claim.js';
import { FEED_IDS } from '../../feeds/feed-id.js';
import { decideLocation } from '../../merge/location.js';
import { DETAILS } from '../../merge/precedence.js';
import { policyNumberOf } from '../../merge/weights.js';
import { ClaimResolver } from '../../merge/claim-resolver.js';
import type { ResolvedClaim } from '../../merge/resolved-claim.js';
import { EXAMPLE_PLACES } from '../../merge/testing/example-places.js';
import { firstFailure } from '../../merge/testing/invented-claims.js';
import type { Claims } from '../../merge/location.js';
import type { Case } from '../statements.js';
import { ballotsOf } from './ballots.js';
import { fitWeights, outcomeOf } from './fit-weights.js';

function resolved(claims: Claims): ResolvedClaim[] {
  const resolver = new ClaimResolver(EXAMPLE_PLACES);
  return FEED_IDS.flatMap((feed) => {
    const claim = claims[feed];
    return (claim && resolver.resolve(feed, claim)) ?? [];
  });
}

function caseOf(country: string, claims: Claims, operator = 'one'): Case {
  const place = { country, region: undefined, cityId: undefined, cityName: undefined, point: undefined };
  return { operator, place, claims: resolved(claims) };
}

/** The weights of the policy for all claims. */
function policyOf(claims: readonly ResolvedClaim[]): Map<string, number> {
  const weights = claims.flatMap(({ weight, country }) =>
    DETAILS.map((detail) => policyNumberOf({ ...weight, country }, 'country', detail)),
  );
  return new Map(weights.map(({ name, weight }) => [name, weight]));
}

t.test('a ballot with the weights of the policy has the outcome of the merge', (t) => {
  let votes = 0;
  const failure = firstFailure((claims) => {
    const voting = resolved(claims).filter(({ weight }) => weight.rule === 'vote');
    const decided = decideLocation(voting)?.country;
    if (decided === undefined) return true;
    votes++;
    const truths = ['FR', 'DE', 'CN', 'HK'];
    return truths.every((country) => {
      const place = { country, region: undefined, cityId: undefined, cityName: undefined, point: undefined };
      const [ballot] = ballotsOf([{ operator: 'one', place, claims: voting }], 'country');
      return outcomeOf(ballot!, policyOf(voting)) === (decided === country);
    });
  });
  t.equal(failure, undefined, JSON.stringify(failure));
  t.ok(votes > 1000);
  t.end();
});

t.test('the fit trusts the feed that is right, per detail of its claims', (t) => {
  const city: Claim = { country: 'FR', region: 'FR-ARA' };
  const cases = [
    ...Array.from({ length: 9 }, () =>
      caseOf('FR', { geolite2: city, dbip: { country: 'DE' }, qqwry: { country: 'DE' } }),
    ),
    ...Array.from({ length: 9 }, () =>
      caseOf('DE', { geolite2: { country: 'FR' }, dbip: { country: 'DE' } }, 'two'),
    ),
  ];
  const ballots = ballotsOf(cases, 'country');
  t.equal(ballots.length, 2, 'equal ballots are counted together');
  const weights = fitWeights(ballots);
  t.ok(
    ballots.every((ballot) => outcomeOf(ballot, weights) === true),
    JSON.stringify([...weights]),
  );
  const [withRegion, alone] = ['country of region', 'country of country'].map((column) =>
    weights.get(`geolite2 observation, ${column}`),
  );
  t.ok(withRegion! > alone!);
  t.notOk(
    fitWeights(ballots, new Set(['one'])).has('geolite2 observation, country of region'),
    'an operator is left out',
  );
  t.end();
});
