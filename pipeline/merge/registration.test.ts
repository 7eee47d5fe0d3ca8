import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { mergeLocation, type Claims, type Location } from './location.js';
import { weightsOf } from './weights.js';
import { ClaimResolver } from './claim-resolver.js';
import { bitOfFeed } from './resolved-claim.js';
import { registrationsOf } from './registration.js';
import { CITIES, EXAMPLE_PLACES } from './testing/example-places.js';
import { shareOf, supportOf } from './testing/expected-share.js';
import { firstFailure } from './testing/invented-claims.js';

/** The decision with the shares of the votes. */
function merge(claims: Claims): Shared | undefined {
  const merged = mergeLocation(claims, EXAMPLE_PLACES);
  const { country, region, city } = merged?.evidence ?? {};
  return (
    merged && { ...merged, countryShare: country?.share, regionShare: region?.share, cityShare: city?.share }
  );
}

interface Shared extends Location {
  readonly countryShare: number | undefined;
  readonly regionShare: number | undefined;
  readonly cityShare: number | undefined;
}

const REGISTERED: Claim = { country: 'FR', basis: 'registration', registeredCountry: 'FR' };
const FR: Claim = { country: 'FR' };
const DE: Claim = { country: 'DE' };
const ECHOES: Claims = {
  own: REGISTERED,
  geolite2: FR,
  ipinfo: FR,
  ipapi: FR,
  ip2location: FR,
  ip2region: FR,
};

t.test('any number of feeds that repeat a registration are one voice, the heaviest', (t) => {
  const claims: Claims = { ...ECHOES, dbip: DE };
  t.match(merge(claims), {
    country: 'DE',
    countryFeeds: bitOfFeed('dbip'),
    countryShare: shareOf('country', claims, 'dbip'),
  });
  t.equal(supportOf('country', claims, Object.keys(ECHOES) as FeedId[]), weightOf('ipinfo', 'registered'));
  const unregistered: Claims = { ...claims, own: {} };
  t.match(merge(unregistered), { country: 'FR' }, 'without a registration there is nothing to repeat');
  const elsewhere: Claims = { ...claims, own: { ...REGISTERED, country: 'SE', registeredCountry: 'SE' } };
  t.match(merge(elsewhere), { country: 'FR' }, 'nor if the network is registered in another country');
  t.end();
});

t.test('claims that repeat a registration are listed, and the heaviest decides', (t) => {
  const feeds = (Object.keys(ECHOES) as FeedId[]).reduce((bits, feed) => bits | bitOfFeed(feed), 0);
  t.match(merge(ECHOES), {
    country: 'FR',
    decidedBy: 'ipinfo',
    countryFeeds: feeds,
    countryShare: shareOf('country', ECHOES, 'ipinfo'),
  });
  t.end();
});

t.test(
  'a network may be registered in several countries: that of its delegation, else of GeoLite2, and of whois',
  (t) => {
    const resolver = new ClaimResolver(EXAMPLE_PLACES);
    const registrations = (claims: Claims): readonly string[] =>
      registrationsOf(FEED_IDS.flatMap((feed) => resolver.resolve(feed, claims[feed] ?? {}) ?? []));
    const whois: Claim = { country: 'FR', basis: 'registration', registeredCountry: 'SE' };
    t.same(registrations({ own: whois, geolite2: { ...DE, registeredCountry: 'NO' } }), ['SE', 'FR']);
    t.same(registrations({ geolite2: { ...DE, registeredCountry: 'NO' } }), ['NO']);
    t.same(registrations({ own: { ...FR, basis: 'geofeed' }, dbip: { ...DE, registeredCountry: 'NO' } }), []);
    t.same(registrations({ ipapi: { ...DE, basis: 'registration' } }), ['DE']);
    for (const own of [whois, { ...REGISTERED, country: 'SE' }]) {
      t.match(merge({ own, ipinfo: FR, ip2location: FR, ipapi: FR, dbip: DE }), { country: 'DE' });
    }
    const geolite2: Claim = { registeredCountry: 'FR' };
    t.match(merge({ geolite2, ipinfo: FR, ip2location: FR, ipapi: FR, dbip: DE }), { country: 'DE' });
    t.end();
  },
);

t.test('registrations in different countries are different voices', (t) => {
  const claims: Claims = {
    own: { ...FR, basis: 'registration', registeredCountry: 'SE' },
    qqwry: { country: 'SE' },
    ip2region: { country: 'SE' },
  };
  t.match(merge(claims), { country: 'FR', countryShare: shareOf('country', claims, 'own') });
  t.end();
});

t.test('a claim that names a region or city, by id or by text, has a voice of its own', (t) => {
  const withPlace = (place: Claim): Location | undefined =>
    merge({ own: REGISTERED, dbip: DE, ipapi: { ...FR, ...place }, ip2location: { ...FR, ...place } });
  t.match(withPlace({}), { country: 'DE' });
  t.match(
    withPlace({ latitude: 46, longitude: 2, isp: 'x' }),
    { country: 'DE' },
    'coordinates alone do not name a place',
  );
  for (const place of [
    { region: 'FR-ARA' },
    { regionName: 'Rhône-Alpes' },
    { cityId: CITIES.lyon.id },
    { cityName: 'Lyon' },
  ]) {
    t.match(withPlace(place), { country: 'FR' }, JSON.stringify(place));
  }
  t.end();
});

t.test('geofeeds and overrides keep their weight in a country of registration', (t) => {
  for (const basis of ['geofeed', 'override'] as const) {
    const own: Claim = { country: 'FR', basis, registeredCountry: 'FR' };
    const voters: Claims = { own, dbip: DE, geolite2: DE };
    t.match(merge({ own, dbip: DE, geolite2: DE }), {
      country: 'FR',
      rule: basis,
      decidedBy: 'own',
      countryShare: shareOf('country', voters, 'own'),
    });
  }
  const own: Claim = { country: 'FR', basis: 'geofeed', registeredCountry: 'FR' };
  const others: Claims = { geolite2: { ...DE, region: 'DE-NW' }, ip2region: DE, qqwry: DE };
  const claims: Claims = { own, dbip: FR, ...others };
  const countryShare = shareOf('country', claims, 'own dbip');
  const isOneVoice = shareOf('country', { own, ...others }, 'own') === countryShare;
  t.notOk(isOneVoice, 'a geofeed and a registration are two voices');
  t.match(merge(claims), { country: 'FR', countryShare });
  t.end();
});

t.test(
  'a repeated registration can only elect the country of registration, and only where its weight is missing',
  (t) => {
    let overturned = 0;
    const failure = firstFailure((claims) => {
      const before = merge(claims);
      const country = before?.registeredCountry;
      const silent = FEED_IDS.find((feed) => claims[feed] === undefined);
      if (before?.country === undefined || country === undefined || silent === undefined) return true;
      const echo: Claims = { ...claims, [silent]: { country } };
      const after = merge(echo)!;
      if (after.country === before.country) return sameBelow(before, after);
      overturned++;
      const lead = supportFor(before.country, claims) - supportFor(country, claims);
      const voice = weightsOf(silent, { country }, 'registered').country;
      return before.rule === 'vote' && after.country === country && lead <= voice;
    });
    t.equal(failure, undefined, JSON.stringify(failure));
    t.ok(overturned > 10, 'the generator makes such networks', { overturned });
    t.end();
  },
);

t.test(
  'a second claim that repeats a registration with no more weight changes no country and no share',
  (t) => {
    let echoes = 0;
    const failure = firstFailure((claims) => {
      const [loud, quiet] = ['ip2location', 'qqwry'] as const;
      const before = merge({ ...claims, own: REGISTERED, [loud]: FR, [quiet]: {} })!;
      const after = merge({ ...claims, own: REGISTERED, [loud]: FR, [quiet]: FR })!;
      if (before.country === 'FR') echoes++;
      return (
        after.country === before.country &&
        after.countryShare === before.countryShare &&
        after.countryConfidence === before.countryConfidence &&
        after.decidedBy === before.decidedBy &&
        sameBelow(before, after)
      );
    });
    t.equal(failure, undefined, JSON.stringify(failure));
    t.ok(echoes > 10, 'the generator makes such networks', { echoes });
    t.end();
  },
);

function weightOf(feed: FeedId, detail: 'registered'): number {
  return weightsOf(feed, FR, detail).country;
}

/** Whether two decisions agree on everything below the country. */
function sameBelow(a: Shared, b: Shared): boolean {
  const below = ({ region, regionName, cityId, cityName, latitude, longitude, timeZone }: Location) =>
    JSON.stringify([region, regionName, cityId, cityName, latitude, longitude, timeZone]);
  const shares = ({ regionShare, cityShare, regionFeeds, cityFeeds }: Shared) =>
    JSON.stringify([regionShare, cityShare, regionFeeds, cityFeeds]);
  return below(a) === below(b) && shares(a) === shares(b);
}

/** The weight of the claims for a country, computed independently. */
function supportFor(country: string, claims: Claims): number {
  const feeds = (Object.keys(claims) as FeedId[]).filter((feed) => claims[feed]!.country === country);
  return supportOf('country', claims, feeds);
}
