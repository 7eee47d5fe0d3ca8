import t from 'tap';
import type { Claim } from '../feeds/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { mergeLocation, type Claims, type Location } from './location.js';
import { ECHO_WEIGHT, weightsOf, WITNESS_WEIGHT } from './precedence.js';
import { bitOfFeed } from './statement.js';
import { CITIES, EXAMPLE_PLACES } from './testing/example-places.js';
import { confidenceOf } from './testing/expected-confidence.js';
import { firstFailure } from './testing/invented-claims.js';

function merge(claims: Claims): Location | undefined {
  return mergeLocation(claims, EXAMPLE_PLACES);
}

const REGISTERED: Claim = { country: 'FR', basis: 'registration', registeredCountry: 'FR' };
const FR: Claim = { country: 'FR' };
const DE: Claim = { country: 'DE' };

t.test('five echoes of the registration do not outvote two feeds that agree on another country', (t) => {
  const claims: Claims = {
    ...{ geolite2: DE, dbip: DE },
    ...{ own: REGISTERED, ipinfo: FR, ipapi: FR, ip2location: FR, ip2region: FR },
  };
  t.match(merge(claims), { country: 'DE', countryFeeds: bitOfFeed('geolite2') | bitOfFeed('dbip') });
  const unregistered = { ...claims, own: { country: 'FR', basis: 'registration' } as const };
  t.match(merge(unregistered), { country: 'FR' }, 'nobody knows of a registration that they could repeat');
  const elsewhere = { ...claims, own: { ...REGISTERED, registeredCountry: 'SE' } };
  t.match(merge(elsewhere), { country: 'FR' }, 'they repeat no other country’s');
  t.end();
});

t.test('a feed that names a region or a city is no echo, by id or by text', (t) => {
  const withPlace = (place: Claim) =>
    merge({
      ...{ own: { registeredCountry: 'FR' }, dbip: DE },
      ...{ ipinfo: { ...FR, ...place }, ip2location: { ...FR, ...place } },
    });
  t.match(withPlace({}), { country: 'DE' });
  t.match(withPlace({ latitude: 46, longitude: 2, isp: 'x' }), { country: 'DE' }, 'a country has a centre');
  for (const place of [
    { region: 'FR-ARA' },
    { regionName: 'Rhône-Alpes' },
    { cityId: 2996944 },
    { cityName: 'Lyon' },
  ])
    t.match(withPlace(place), { country: 'FR' }, JSON.stringify(place));
  t.end();
});

t.test('an echo of a feed that weighs little gains nothing', (t) => {
  const votes: Claims = { dbip: DE, qqwry: FR };
  const countryConfidence = confidenceOf('country', votes, 'dbip');
  t.match(merge({ ...votes, own: { registeredCountry: 'FR' } }), { country: 'DE', countryConfidence });
  t.end();
});

t.test('a geofeed or an override is never an echo', (t) => {
  for (const basis of ['geofeed', 'override'] as const) {
    const own: Claim = { country: 'FR', basis, registeredCountry: 'FR' };
    const heard: Claims = basis === 'override' ? { own } : { own, dbip: DE, geolite2: DE };
    t.match(merge({ own, dbip: DE, geolite2: DE }), {
      ...{ country: 'FR', rule: basis, decidedBy: 'own' },
      countryConfidence: confidenceOf('country', heard, 'own'),
    });
  }
  t.end();
});

t.test('who repeats the registration has not decided', (t) => {
  const claims: Claims = { geolite2: FR, ip2region: { ...FR, cityName: 'Lyon' } };
  t.equal(merge(claims)?.decidedBy, 'geolite2');
  t.equal(merge({ ...claims, own: { registeredCountry: 'FR' } })?.decidedBy, 'ip2region');
  t.end();
});

t.test('where a strong voice names a place in the registered country, nobody is an echo', (t) => {
  const heard: Claims = { dbip: FR, ipinfo: FR, own: REGISTERED };
  const others: Claims = { geolite2: DE, ipapi: { ...DE, region: 'DE-NW' } };
  t.match(merge({ ...heard, ...others }), { country: 'DE' });
  const placed: Claim = { ...FR, cityId: CITIES.lyon.id };
  t.match(merge({ ...heard, ...others, ip2location: placed }), { country: 'FR' }, 'a witness');
  t.match(merge({ ...heard, ...others, qqwry: placed }), { country: 'DE' }, 'a weak voice is none');
  t.end();
});

t.test(
  'an echo elects none but the registered country, and only where it was behind by less than that',
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
      const most = isWitnessed(country, claims) ? least : Math.min(least, ECHO_WEIGHT);
      return before.rule === 'vote' && after.country === country && lead <= most;
    });
    t.equal(failure, undefined, JSON.stringify(failure));
    t.ok(overturned > 10, 'there were such networks', { overturned });
    t.end();
  },
);

/** What a feed that knows the country alone has no say in. */
function sameBelow(a: Location, b: Location): boolean {
  const below = ({ region, regionName, cityId, cityName, latitude, longitude, timeZone }: Location) =>
    JSON.stringify([region, regionName, cityId, cityName, latitude, longitude, timeZone]);
  const shares = ({ regionConfidence, cityConfidence, regionFeeds, cityFeeds }: Location) =>
    JSON.stringify([regionConfidence, cityConfidence, regionFeeds, cityFeeds]);
  return below(a) === below(b) && shares(a) === shares(b);
}

/** The weight behind a country, added up by itself. */
function supportOf(country: string, claims: Claims, registered: string): number {
  let support = 0;
  for (const feed of Object.keys(claims) as FeedId[]) {
    const claim = claims[feed]!;
    if (claim.country !== country) continue;
    const weight = weightsOf(feed, claim).country;
    const isEcho = country === registered && !isPlaced(claim) && !isWitnessed(country, claims);
    support += isEcho ? Math.min(weight, ECHO_WEIGHT) : weight;
  }
  return support;
}

function isWitnessed(country: string, claims: Claims): boolean {
  return (Object.keys(claims) as FeedId[]).some((feed) => {
    const claim = claims[feed]!;
    return claim.country === country && isPlaced(claim) && weightsOf(feed, claim).country >= WITNESS_WEIGHT;
  });
}

function isPlaced({ region, regionName, cityId, cityName }: Claim): boolean {
  return (region ?? regionName ?? cityId ?? cityName) !== undefined;
}
