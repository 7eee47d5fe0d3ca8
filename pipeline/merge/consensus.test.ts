import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import { FEED_IDS } from '../feeds/feed-id.js';
import { decideLocation, mergeLocation, type Claims, type Location } from './location.js';
import { CONFIDENCE_STEP, MOST_CONFIDENCE } from './confidence.js';
import { present } from '../mmdb/present.js';
import { ClaimResolver } from './claim-resolver.js';
import { bitOfFeed } from './resolved-claim.js';
import { EXAMPLE_PLACES } from './testing/example-places.js';
import { firstFailure } from './testing/invented-claims.js';

function merge(claims: Claims): Location | undefined {
  return mergeLocation(claims, EXAMPLE_PLACES);
}

t.test('the order of the claims does not matter', (t) => {
  const failure = firstFailure((claims, random) => {
    const resolver = new ClaimResolver(EXAMPLE_PLACES);
    const resolved = FEED_IDS.flatMap((feed) => {
      const claim = claims[feed];
      return (claim && resolver.resolve(feed, claim)) ?? [];
    });
    const shuffled = resolved
      .map((claim) => ({ claim, at: random(1000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ claim }) => claim);
    return JSON.stringify(decideLocation(shuffled)) === JSON.stringify(decideLocation(resolved));
  });
  t.equal(failure, undefined);
  t.end();
});

t.test('every decided value was claimed, and by the feeds that are listed', (t) => {
  const failure = firstFailure((claims) => {
    const { country, cityId, cityName, countryFeeds = 0, timeZone } = merge(claims) ?? {};
    const claimed: Claim[] = Object.values(claims);
    return (
      (country === undefined) === claimed.every((claim) => claim.country === undefined) &&
      (country === undefined || claimed.some((claim) => claim.country === country)) &&
      (cityId === undefined ||
        claimed.some((claim) => claim.cityId === cityId && claim.country === country)) &&
      (cityName === undefined || claimed.some((claim) => claim.cityName === cityName)) &&
      FEED_IDS.every((feed) => (countryFeeds & bitOfFeed(feed)) === 0 || claims[feed]?.country === country) &&
      (timeZone === undefined || cityId !== undefined || claimed.some((claim) => claim.timeZone === timeZone))
    );
  });
  t.equal(failure, undefined);
  t.end();
});

t.test('feeds that agree on the region or city also agree on the country', (t) => {
  const failure = firstFailure((claims) => {
    const { countryFeeds = 0, regionFeeds = 0, cityFeeds = 0 } = merge(claims) ?? {};
    return (regionFeeds & ~countryFeeds) === 0 && (cityFeeds & ~countryFeeds) === 0;
  });
  t.equal(failure, undefined);
  t.end();
});

t.test('one more agreeing feed lowers no confidence and does not change country or region', (t) => {
  const failure = firstFailure((claims) => {
    const before = merge(claims);
    const silent = FEED_IDS.slice(1).find((feed) => claims[feed] === undefined);
    if (before?.country === undefined || before.rule === 'override' || silent === undefined) return true;
    const { country, region, regionName, cityId, cityName, latitude, longitude } = before;
    const agreeing = present({ country, region, regionName, cityId, cityName, latitude, longitude });
    const after = merge({ ...claims, [silent]: agreeing })!;
    return (
      after.country === country &&
      after.region === region &&
      after.regionName === regionName &&
      after.countryConfidence! >= before.countryConfidence! &&
      (after.regionConfidence ?? 0) >= (before.regionConfidence ?? 0) &&
      (after.cityConfidence ?? 0) >= (before.cityConfidence ?? 0)
    );
  });
  t.equal(failure, undefined, JSON.stringify(failure));
  t.end();
});

function isDescending({ countryConfidence = 99, regionConfidence, cityConfidence }: Location): boolean {
  const region = regionConfidence ?? countryConfidence;
  return region <= countryConfidence && (cityConfidence ?? 0) <= region;
}

t.test(
  'every decided level has a confidence, no greater than that of the level above; other levels have none',
  (t) => {
    const failure = firstFailure((claims) => {
      const merged = merge(claims) ?? {};
      const hasRegion = (merged.region ?? merged.regionName) !== undefined;
      const hasCity = (merged.cityId ?? merged.cityName) !== undefined;
      return (
        [
          [merged.country !== undefined, merged.countryConfidence] as const,
          [hasRegion, merged.regionConfidence] as const,
          [hasCity, merged.cityConfidence] as const,
        ].every(([isKnown, confidence]) =>
          isKnown
            ? confidence !== undefined &&
              confidence >= CONFIDENCE_STEP &&
              (confidence % CONFIDENCE_STEP === 0 || confidence === MOST_CONFIDENCE)
            : confidence === undefined,
        ) && isDescending(merged)
      );
    });
    t.equal(failure, undefined, JSON.stringify(failure));
    t.end();
  },
);
