import t from 'tap';
import { FEED_IDS } from '../feeds/feed-id.js';
import { AgreementKinds, FAR_KM } from './agreement-kinds.js';
import { ClaimResolver } from './claim-resolver.js';
import { chordBound, isNear } from './distance.js';
import type { ResolvedClaim } from './resolved-claim.js';
import { EXAMPLE_PLACES } from './testing/example-places.js';
import { firstFailure } from './testing/invented-claims.js';

t.test('a kind has the figures of every pair of claims', (t) => {
  const kinds = new AgreementKinds(FEED_IDS.length);
  const resolver = new ClaimResolver(EXAMPLE_PLACES);
  const failure = firstFailure((claims) => {
    const resolved = FEED_IDS.map((feed) => claims[feed] && resolver.resolve(feed, claims[feed]));
    const kind = kinds.kindOf(resolved);
    const pairs = resolved.flatMap((one, i) =>
      resolved.slice(i + 1).map((other) => expectedFigures(one, other)),
    );
    return (
      pairs.every((figures, pair) => figures === kinds.figuresAt(kind, pair)) &&
      kinds.isCompared(kind) === pairs.some((figures) => (figures & 1) !== 0) &&
      kinds.isDisputed(kind) === pairs.some((figures) => (figures & 2) !== 0) &&
      kinds.kindOf(resolved) === kind
    );
  });
  t.equal(failure, undefined);
  t.ok(kinds.length > 1000);
  t.end();
});

function expectedFigures(one: ResolvedClaim | undefined, other: ResolvedClaim | undefined): number {
  if (one?.country === undefined || other?.country === undefined) return 0;
  const isOther = one.country === other.country ? 0 : 2;
  if ([one, other].some(({ cityId, cityText, point }) => !point || (cityId ?? cityText) === undefined))
    return 1 + isOther;
  return 1 + isOther + 4 + (isNear(one.point!, other.point!, chordBound(FAR_KM)) ? 0 : 8);
}

t.test('one feed has no pairs', (t) => {
  const kinds = new AgreementKinds(1);
  const kind = kinds.kindOf([undefined]);
  t.equal(kinds.isCompared(kind), false);
  t.equal(kinds.length, 1);
  t.end();
});
