import t from 'tap';
import type { Claim } from '../feeds/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { pseudoRandom } from '../table/networks.fixture.js';
import { decide, mergeLocation, type Claims, type Location } from './location.js';
import { present } from './present.js';
import { bitOfFeed, StatementMaker } from './statement.js';
import { CITIES, EXAMPLE_PLACES } from './testing/example-places.js';

type Random = (bound: number) => number;

const NETWORKS = 4000;

/** Invented claims of one network: every basis, ids and texts, with and without regions and coordinates. */
function inventClaims(random: Random): Claims {
  const claims: Claims = {};
  const cities = Object.values(CITIES).slice(0, 2 + random(8));
  for (const feed of FEED_IDS) if (random(4) > 0) claims[feed] = inventClaim(feed, cities, random);
  return claims;
}

type City = (typeof CITIES)[keyof typeof CITIES];

function inventClaim(feed: FeedId, cities: readonly City[], random: Random): Claim {
  const { id, region, latitude, longitude } = cities[random(cities.length)]!;
  const country = region?.slice(0, 2) ?? 'HK';
  const level = random(4);
  const isText = random(4) === 0;
  const hasSpot = level > 0 && random(2) === 0;
  const bases = feed === 'own' ? (['override', 'geofeed', 'registration'] as const) : [];
  return present({
    country,
    region: level > 0 && random(4) > 0 && !isText ? region : undefined,
    regionName: level > 0 && isText ? `a region of ${country}` : undefined,
    cityId: level > 1 && !isText ? id : undefined,
    cityName: level > 1 && isText ? `another name of ${id}` : undefined,
    latitude: hasSpot ? latitude + random(10) / 10 : undefined,
    longitude: hasSpot ? longitude + random(10) / 10 : undefined,
    timeZone: random(3) === 0 ? `Zone/${random(3)}` : undefined,
    accuracyClass: random(3) === 0 ? 1 + random(5) : undefined,
    registeredCountry: random(3) === 0 ? 'SE' : undefined,
    basis: bases[random(5)] ?? (random(5) === 0 ? ('registration' as const) : undefined),
  });
}

function forEachNetwork(visit: (claims: Claims, random: Random) => void): void {
  const random = pseudoRandom(11);
  for (let i = 0; i < NETWORKS; i++) visit(inventClaims(random), random);
}

/** Compares without a tap assertion per network; the first counterexample is printed. */
function firstFailure(holds: (claims: Claims, random: Random) => boolean): Claims | undefined {
  let failure: Claims | undefined;
  forEachNetwork((claims, random) => {
    if (!holds(claims, random)) failure ??= claims;
  });
  return failure;
}

function merge(claims: Claims): Location | undefined {
  return mergeLocation(claims, EXAMPLE_PLACES);
}

function said(claims: Claims): Claim[] {
  return Object.values(claims);
}

t.test('the order in which feeds speak does not matter', (t) => {
  const failure = firstFailure((claims, random) => {
    const maker = new StatementMaker(EXAMPLE_PLACES);
    const statements = FEED_IDS.flatMap((feed) => {
      const claim = claims[feed];
      return (claim && maker.make(feed, claim)) ?? [];
    });
    const shuffled = statements
      .map((statement) => ({ statement, at: random(1000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ statement }) => statement);
    return JSON.stringify(decide(shuffled)) === JSON.stringify(decide(statements));
  });
  t.equal(failure, undefined);
  t.end();
});

t.test('what is decided was claimed, and its feeds claimed it', (t) => {
  const failure = firstFailure((claims) => {
    const { country, cityId, cityName, countryFeeds = 0, timeZone } = merge(claims) ?? {};
    const claimed = said(claims);
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

t.test('levels are nested: who agrees on the city agrees on the country', (t) => {
  const failure = firstFailure((claims) => {
    const { countryFeeds = 0, regionFeeds = 0, cityFeeds = 0 } = merge(claims) ?? {};
    return (regionFeeds & ~countryFeeds) === 0 && (cityFeeds & ~countryFeeds) === 0;
  });
  t.equal(failure, undefined);
  t.end();
});

t.test('a feed more that agrees never lowers a confidence and changes no country or region', (t) => {
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

t.test('confidence stands beside every level that was decided, in tens from 10 to 100', (t) => {
  const failure = firstFailure((claims) => {
    const merged = merge(claims) ?? {};
    const hasRegion = (merged.region ?? merged.regionName) !== undefined;
    const hasCity = (merged.cityId ?? merged.cityName) !== undefined;
    return [
      [merged.country !== undefined, merged.countryConfidence] as const,
      [hasRegion, merged.regionConfidence] as const,
      [hasCity, merged.cityConfidence] as const,
    ].every(([isKnown, confidence]) =>
      isKnown
        ? confidence !== undefined && confidence % 10 === 0 && confidence >= 10 && confidence <= 100
        : confidence === undefined,
    );
  });
  t.equal(failure, undefined, JSON.stringify(failure));
  t.end();
});
