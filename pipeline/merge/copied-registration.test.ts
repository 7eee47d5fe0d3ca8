import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { decideLocation, mergeLocation, type Claims, type Location } from './location.js';
import { COPIED_REGISTRATION_WEIGHT, weightsOf, CONFIRMING_WEIGHT } from './precedence.js';
import { bitOfFeed, ClaimResolver } from './resolved-claim.js';
import { CITIES, EXAMPLE_PLACES } from './testing/example-places.js';
import { confidenceOf } from './testing/expected-confidence.js';
import { firstFailure } from './testing/invented-claims.js';

function merge(claims: Claims): Location | undefined {
  return mergeLocation(claims, EXAMPLE_PLACES);
}

const REGISTERED: Claim = { country: 'FR', basis: 'registration', registeredCountry: 'FR' };
const FR: Claim = { country: 'FR' };
const DE: Claim = { country: 'DE' };

t.test('five copies of the registration do not outvote two feeds that agree on another country', (t) => {
  const claims: Claims = {
    geolite2: DE,
    dbip: DE,
    own: REGISTERED,
    ipinfo: FR,
    ipapi: FR,
    ip2location: FR,
    ip2region: FR,
  };
  t.match(merge(claims), { country: 'DE', countryFeeds: bitOfFeed('geolite2') | bitOfFeed('dbip') });
  const unregistered = { ...claims, own: { country: 'FR', basis: 'registration' } as const };
  t.match(merge(unregistered), { country: 'FR' }, 'without a registered country there is nothing to copy');
  const elsewhere = { ...claims, own: { ...REGISTERED, registeredCountry: 'SE' } };
  t.match(merge(elsewhere), { country: 'FR' }, 'a registration in another country sets no limit');
  t.end();
});

t.test('a claim that names a place lifts the limit from CONFIRMING_WEIGHT on', (t) => {
  const resolver = new ClaimResolver(EXAMPLE_PLACES);
  const countryFor = (weight: number): string | undefined => {
    const place = resolver.resolve('ip2location', { ...FR, region: 'FR-ARA' })!;
    const confirming = { ...place, weight: { ...place.weight, country: weight } };
    const others = [
      resolver.resolve('own', { registeredCountry: 'FR' })!,
      resolver.resolve('dbip', DE)!,
      resolver.resolve('ipinfo', FR)!,
    ];
    return decideLocation([...others, confirming])?.country;
  };
  t.equal(countryFor(CONFIRMING_WEIGHT), 'FR');
  t.equal(countryFor(CONFIRMING_WEIGHT - 1), 'DE');
  t.end();
});

t.test('a claim that names a region or city, by id or by text, is not a copy', (t) => {
  const withPlace = (place: Claim) =>
    merge({
      own: { registeredCountry: 'FR' },
      dbip: DE,
      ipinfo: { ...FR, ...place },
      ip2location: { ...FR, ...place },
    });
  t.match(withPlace({}), { country: 'DE' });
  t.match(
    withPlace({ latitude: 46, longitude: 2, isp: 'x' }),
    { country: 'DE' },
    'coordinates alone do not name a place',
  );
  for (const place of [
    { region: 'FR-ARA' },
    { regionName: 'Rhône-Alpes' },
    { cityId: 2996944 },
    { cityName: 'Lyon' },
  ])
    t.match(withPlace(place), { country: 'FR' }, JSON.stringify(place));
  t.end();
});

t.test('the limit does not raise a lower weight', (t) => {
  const votes: Claims = { dbip: DE, qqwry: FR };
  const countryConfidence = confidenceOf('country', votes, 'dbip');
  t.match(merge({ ...votes, own: { registeredCountry: 'FR' } }), { country: 'DE', countryConfidence });
  t.end();
});

t.test('the limit does not apply to geofeeds and overrides', (t) => {
  for (const basis of ['geofeed', 'override'] as const) {
    const own: Claim = { country: 'FR', basis, registeredCountry: 'FR' };
    const voters: Claims = basis === 'override' ? { own } : { own, dbip: DE, geolite2: DE };
    t.match(merge({ own, dbip: DE, geolite2: DE }), {
      country: 'FR',
      rule: basis,
      decidedBy: 'own',
      countryConfidence: confidenceOf('country', voters, 'own'),
    });
  }
  t.end();
});

t.test('decidedBy is another feed than one that copies the registration', (t) => {
  const claims: Claims = { geolite2: FR, ip2region: { ...FR, cityName: 'Lyon' } };
  t.equal(merge(claims)?.decidedBy, 'geolite2');
  t.equal(merge({ ...claims, own: { registeredCountry: 'FR' } })?.decidedBy, 'ip2region');
  t.end();
});

t.test('the limit does not apply if a heavy claim names a place in the registered country', (t) => {
  const bare: Claims = { dbip: FR, ipinfo: FR, own: REGISTERED };
  const others: Claims = { geolite2: DE, ipapi: { ...DE, region: 'DE-NW' } };
  t.match(merge({ ...bare, ...others }), { country: 'DE' });
  const placed: Claim = { ...FR, cityId: CITIES.lyon.id };
  t.match(
    merge({ ...bare, ...others, ip2location: placed }),
    { country: 'FR' },
    'CONFIRMING_WEIGHT is reached',
  );
  t.match(merge({ ...bare, ...others, qqwry: placed }), { country: 'DE' }, 'a light claim does not confirm');
  t.end();
});

t.test(
  'a copied registration can only elect the registered country, and only within its limited weight',
  (t) => {
    let overturned = 0;
    const failure = firstFailure((claims) => {
      const before = merge(claims);
      const country = before?.registeredCountry;
      const silent = FEED_IDS.find((feed) => claims[feed] === undefined);
      if (before?.country === undefined || country === undefined || silent === undefined) return true;
      const after = merge({ ...claims, [silent]: { country } })!;
      if (after.country === before.country) return sameBelow(before, after);
      overturned++;
      const lead = supportOf(before.country, claims, country) - supportOf(country, claims, country);
      const least = weightsOf(silent, { country }).country;
      const most = isConfirmed(country, claims) ? least : Math.min(least, COPIED_REGISTRATION_WEIGHT);
      return before.rule === 'vote' && after.country === country && lead <= most;
    });
    t.equal(failure, undefined, JSON.stringify(failure));
    t.ok(overturned > 10, 'the generator makes such networks', { overturned });
    t.end();
  },
);

/** Whether two decisions agree on everything below the country. */
function sameBelow(a: Location, b: Location): boolean {
  const below = ({ region, regionName, cityId, cityName, latitude, longitude, timeZone }: Location) =>
    JSON.stringify([region, regionName, cityId, cityName, latitude, longitude, timeZone]);
  const shares = ({ regionConfidence, cityConfidence, regionFeeds, cityFeeds }: Location) =>
    JSON.stringify([regionConfidence, cityConfidence, regionFeeds, cityFeeds]);
  return below(a) === below(b) && shares(a) === shares(b);
}

/** The weight of the claims for a country, computed independently. */
function supportOf(country: string, claims: Claims, registered: string): number {
  let support = 0;
  for (const feed of Object.keys(claims) as FeedId[]) {
    const claim = claims[feed]!;
    if (claim.country !== country) continue;
    const weight = weightsOf(feed, claim).country;
    const isLimited = country === registered && !isPlaced(claim) && !isConfirmed(country, claims);
    support += isLimited ? Math.min(weight, COPIED_REGISTRATION_WEIGHT) : weight;
  }
  return support;
}

function isConfirmed(country: string, claims: Claims): boolean {
  return (Object.keys(claims) as FeedId[]).some((feed) => {
    const claim = claims[feed]!;
    return (
      claim.country === country && isPlaced(claim) && weightsOf(feed, claim).country >= CONFIRMING_WEIGHT
    );
  });
}

function isPlaced({ region, regionName, cityId, cityName }: Claim): boolean {
  return (region ?? regionName ?? cityId ?? cityName) !== undefined;
}
