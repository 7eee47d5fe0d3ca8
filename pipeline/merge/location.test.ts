import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import { FEED_IDS } from '../feeds/feed-id.js';
import { accuracyRadiusOf } from './accuracy-radius.js';
import { mergeLocation, type Claims } from './location.js';
import { SHARE_STEP } from './precedence.js';
import { present } from '../mmdb/present.js';
import { bitOfFeed } from './resolved-claim.js';
import { AREAS, CITIES, EXAMPLE_PLACES, NO_PLACES, PLACES_WITH_AREAS } from './testing/example-places.js';
import { shareOf } from './testing/expected-share.js';

const { lyon, villeurbanne, grenoble, cologne, bonn, guangzhou, shenzhen } = CITIES;

/** The decision without absent fields, with sets of feeds as names, and the shares of the votes for confidences. */
function merge(claims: Claims, places = EXAMPLE_PLACES): object {
  const merged = mergeLocation(claims, places);
  if (!merged) return {};
  const { countryFeeds, regionFeeds, cityFeeds, evidence, ...others } = merged;
  const confidences = {
    countryConfidence: undefined,
    regionConfidence: undefined,
    cityConfidence: undefined,
  };
  const feeds = present({ country: named(countryFeeds), region: named(regionFeeds), city: named(cityFeeds) });
  const shares = {
    countryShare: evidence?.country.share,
    regionShare: evidence?.region?.share,
    cityShare: evidence?.city?.share,
  };
  return {
    ...present({ ...others, ...confidences, ...shares }),
    ...(Object.keys(feeds).length > 0 && { feeds }),
  };
}

function named(set: number | undefined): string | undefined {
  if (set === undefined) return undefined;
  return FEED_IDS.filter((feed) => (set & bitOfFeed(feed)) !== 0).join(' ');
}

/** A claim with the country, region and id of a city. */
function at(city: keyof typeof CITIES, more: Claim = {}): Claim {
  const { id, region } = CITIES[city] as { id: number; region?: string };
  return { country: COUNTRY_OF[city] ?? region!.slice(0, 2), ...(region && { region }), cityId: id, ...more };
}
const COUNTRY_OF: Partial<Record<keyof typeof CITIES, string>> = { hongKong: 'HK' };

t.test('an override wins what it states, and the merge decides the rest', (t) => {
  const own = { country: 'US', basis: 'override' } as const;
  const geolite2 = { country: 'US', region: 'US-CA', cityId: 1, latitude: 0, longitude: 1 };
  t.match(merge({ own, geolite2, dbip: at('paris') }), {
    country: 'US',
    region: 'US-CA',
    cityId: 1,
    longitude: 1,
    decidedBy: 'own',
    rule: 'override',
    feeds: { country: 'own geolite2', region: 'geolite2', city: 'geolite2' },
  });
  t.match(
    merge({ own: { ...own, country: 'FR' }, geolite2, dbip: at('paris') }),
    { country: 'FR', region: 'FR-IDF', feeds: { country: 'own dbip' } },
    'from claims that agree with its country only',
  );
  const { latitude, longitude, timeZone } = lyon;
  t.match(
    merge({ own: at('lyon', { basis: 'override' }), geolite2: at('paris') }),
    { region: 'FR-ARA', cityId: lyon.id, latitude, longitude, timeZone, cityShare: 100 },
    'its city gets the coordinates of the gazetteer',
  );
  t.end();
});

t.test('coordinates of an override are exact, and the city is one that is near', (t) => {
  const own = { country: 'US', basis: 'override', latitude: 0, longitude: 0 } as const;
  const claim = { country: 'US', region: 'US-CA', cityId: 1, latitude: 0 };
  const placeOf = (longitude: number): unknown[] => {
    const merged = mergeLocation({ own, geolite2: { ...claim, longitude } }, EXAMPLE_PLACES);
    return [merged?.region, merged?.cityId, merged?.latitude, merged?.longitude, merged?.radiusKm];
  };
  t.same(placeOf(1), ['US-CA', undefined, 0, 0, undefined]);
  t.same(placeOf(0.1), ['US-CA', 1, 0, 0, undefined]);
  t.end();
});

t.test('an override may state that there is nothing', (t) => {
  const own = { country: 'FR', basis: 'override' } as const;
  const others = { geolite2: at('lyon', { registeredCountry: 'DE' }), dbip: at('lyon') };
  const placeOf = (claim: Claim): unknown[] => {
    const merged = mergeLocation({ own: claim, ...others }, EXAMPLE_PLACES);
    return [merged?.country, merged?.region, merged?.cityId, merged?.latitude !== undefined];
  };
  t.same(placeOf(own), ['FR', 'FR-ARA', lyon.id, true]);
  t.same(placeOf({ ...own, lastLevel: 'region' }), ['FR', 'FR-ARA', undefined, false]);
  t.same(placeOf({ ...own, lastLevel: 'country' }), ['FR', undefined, undefined, false]);
  t.same(placeOf({ ...own, coordinates: 'none' }), ['FR', 'FR-ARA', lyon.id, false]);
  t.same(placeOf({ ...own, lastLevel: 'country', cityId: lyon.id }), ['FR', undefined, lyon.id, true]);
  const nowhere: Claim = { basis: 'override', lastLevel: 'none' };
  t.same(merge({ own: nowhere, ...others }), { registeredCountry: 'DE' });
  t.equal(mergeLocation({ own: nowhere, dbip: at('lyon') }, EXAMPLE_PLACES), undefined);
  t.end();
});

t.test('an anycast network has the region and city of an override, and none of other claims', (t) => {
  const own = { country: 'FR', basis: 'override', anycast: 'stated' } as const;
  t.equal(mergeLocation({ own, geolite2: at('lyon') }, EXAMPLE_PLACES)?.region, undefined);
  t.match(merge({ own: { ...own, ...at('lyon') }, geolite2: at('paris') }), { cityId: lyon.id });
  t.end();
});

t.test('in space that is not delegated only statements count, and feeds that leave such space out', (t) => {
  const own = { basis: 'not-delegated' } as const;
  const filled = {
    dbip: at('paris'),
    ip2location: { country: 'FR' },
    ip2region: at('paris'),
    qqwry: at('paris'),
  };
  t.match(merge(filled), { country: 'FR' });
  t.same(merge({ own, ...filled }), {}, 'other feeds may agree');
  t.same(merge({ own }), {});
  t.match(merge({ own, ...filled, geolite2: at('cologne') }), {
    country: 'DE',
    cityId: cologne.id,
    feeds: { country: 'geolite2', region: 'geolite2', city: 'geolite2' },
  });
  t.match(merge({ own, ...filled, ipinfo: { country: 'DE' } }), {
    country: 'DE',
    feeds: { country: 'ipinfo' },
  });
  t.match(merge({ own, geolite2: { registeredCountry: 'DE' } }), { registeredCountry: 'DE' });
  t.end();
});

t.test('a cloud and an exchange win the levels that they name, and the feeds vote on those below', (t) => {
  const others = { geolite2: at('cologne'), dbip: at('cologne'), ip2location: at('lyon') };
  for (const basis of ['cloud', 'exchange'] as const) {
    const city = merge({ own: at('lyon', { basis }), ...others });
    t.match(city, { country: 'FR', region: 'FR-ARA', cityId: lyon.id, rule: 'statement', decidedBy: 'own' });
    const country = merge({ own: { country: 'FR', basis }, ...others });
    t.match(country, { country: 'FR', region: 'FR-ARA', cityId: lyon.id, rule: 'statement' });
    const region = merge({ own: { country: 'FR', region: 'FR-ARA', basis }, geolite2: at('paris') });
    t.match(region, { country: 'FR', region: 'FR-ARA', rule: 'statement' });
    t.notOk('cityId' in region, 'Paris is in another region');
  }
  t.end();
});

t.test('an anycast network has no region and no city, whoever names one', (t) => {
  const others = { geolite2: at('cologne'), dbip: at('lyon'), ip2location: at('lyon') };
  const country = { country: 'FR', latitude: 46, longitude: 2, timeZone: 'Europe/Paris' };
  for (const basis of ['geofeed', 'registration', undefined] as const) {
    for (const anycast of ['stated', 'listed'] as const) {
      const own = at('lyon', { ...(basis && { basis }), anycast });
      const merged = merge({ own, ...others, ipinfo: country });
      t.match(merged, { ...country, radiusKm: 1000, isAnycast: true, countryShare: Number });
      for (const field of ['region', 'cityId', 'regionShare', 'cityShare'])
        t.notOk(field in merged, `${field} with ${basis} and ${anycast}`);
    }
  }
  t.match(merge({ own: at('lyon'), geolite2: { anycast: 'listed' } }), { country: 'FR', isAnycast: true });
  t.notOk('isAnycast' in merge({ own: at('lyon'), ...others }));
  t.end();
});

t.test('an anycast network has the coordinates and the time zone of its country', (t) => {
  const precise = { latitude: 43.3, longitude: 5.4, radiusKm: 5 };
  for (const [country, area] of [
    ['FR', AREAS.france],
    ['US', AREAS.us],
  ] as const) {
    const claim = { country, ...precise, timeZone: 'America/Chicago' };
    const { code, ...wanted } = area;
    const merged = merge({ own: { country, anycast: 'stated' }, ipapi: claim }, PLACES_WITH_AREAS);
    t.match(merged, wanted, code);
    t.equal('timeZone' in merged, 'timeZone' in wanted);
    t.match(merge({ ipapi: claim }, PLACES_WITH_AREAS), precise, 'without anycast');
  }
  t.end();
});

t.test('an override states the place of an anycast network', (t) => {
  const own = at('lyon', { basis: 'override', anycast: 'stated' });
  t.match(merge({ own, dbip: at('cologne') }), { cityId: lyon.id, region: 'FR-ARA', isAnycast: true });
  t.end();
});

t.test('the place that a cloud or an exchange states counts more than a list of anycast networks', (t) => {
  for (const basis of ['cloud', 'exchange'] as const) {
    const listed = merge({ own: at('lyon', { basis }), geolite2: at('lyon', { anycast: 'listed' }) });
    t.match(listed, { cityId: lyon.id });
    t.notOk('isAnycast' in listed, basis);
  }
  t.end();
});

t.test('anycast alone is an answer, also next to a registered country', (t) => {
  t.same(merge({ own: { anycast: 'stated' } }), { isAnycast: true });
  t.same(merge({ own: { anycast: 'listed', registeredCountry: 'FR' } }), {
    registeredCountry: 'FR',
    isAnycast: true,
  });
  t.end();
});

t.test('a geofeed wins against any number of feeds, and the share shows their dissent', (t) => {
  const own = at('lyon', { basis: 'geofeed' });
  const others = { geolite2: at('paris'), dbip: at('paris'), ip2location: at('cologne') };
  const claims = { own, ...others };
  const merged = merge(claims);
  t.match(merged, { country: 'FR', region: 'FR-ARA', cityId: lyon.id, rule: 'geofeed', decidedBy: 'own' });
  t.match(merged, {
    countryShare: shareOf('country', claims, 'own geolite2 dbip'),
    regionShare: shareOf('region', { own, geolite2: at('paris'), dbip: at('paris') }, 'own'),
    cityShare: 100,
  });
  t.match(merged, { feeds: { country: 'own geolite2 dbip', region: 'own', city: 'own' } });
  t.match(merged, { latitude: lyon.latitude, longitude: lyon.longitude, radiusKm: 50 });
  t.end();
});

t.test('feeds that agree with a geofeed refine it', (t) => {
  const spot = { latitude: 45.76, longitude: 4.83, radiusKm: 20, timeZone: 'Europe/Paris' };
  const geolite2 = at('lyon', spot);
  const geofeed = { country: 'FR', basis: 'geofeed' } as const;
  const voted = { ...spot, radiusKm: accuracyRadiusOf('city', spot, false) };
  t.match(merge({ own: geofeed, geolite2 }), { region: 'FR-ARA', cityId: lyon.id, ...voted });
  t.match(merge({ own: { ...geofeed, region: 'FR-ARA' }, geolite2 }), { cityId: lyon.id, ...voted });
  t.match(merge({ own: { ...geofeed, cityId: lyon.id }, geolite2 }), { region: 'FR-ARA', ...spot });
  t.same(
    merge({ own: { ...geofeed, region: 'FR-IDF' }, geolite2 }),
    {
      country: 'FR',
      region: 'FR-IDF',
      decidedBy: 'own',
      rule: 'geofeed',
      countryShare: 100,
      regionShare: 80,
      feeds: { country: 'own geolite2', region: 'own' },
    },
    'nothing is taken from a feed that names another region',
  );
  t.match(
    merge({ own: { ...geofeed, ...at('grenoble'), basis: 'geofeed' }, geolite2 }),
    { cityId: grenoble.id, latitude: grenoble.latitude, cityShare: 80 },
    'no coordinates are taken from a feed that names another city',
  );
  t.match(
    merge({ own: at('villeurbanne', { basis: 'geofeed' }), geolite2 }),
    { cityId: villeurbanne.id, latitude: villeurbanne.latitude, cityShare: 100 },
    'a suburb agrees, but the coordinates are those of the named city',
  );
  t.end();
});

t.test('the texts of a geofeed are kept and never count as agreement', (t) => {
  const own = { country: 'FR', cityName: 'Lyon', basis: 'geofeed' } as const;
  const merged = merge({ own, geolite2: at('lyon', { latitude: 45, longitude: 5 }) });
  t.match(merged, { country: 'FR', region: 'FR-ARA', cityName: 'Lyon', feeds: { city: 'own' } });
  t.notMatch(merged, { latitude: 45 });
  const region = { country: 'FR', regionName: 'Rhône', basis: 'geofeed' } as const;
  const named = merge({ own: region, geolite2: at('lyon') });
  t.match(named, { country: 'FR', regionName: 'Rhône', feeds: { region: 'own' } });
  t.notMatch(named, { cityId: lyon.id });
  t.end();
});

t.test(
  'feeds that spell a city as a geofeed does give its time zone, not heavier feeds with an id nearby',
  (t) => {
    const spot = { latitude: lyon.latitude, longitude: lyon.longitude };
    const spelled = { country: 'FR', region: 'FR-ARA', cityName: 'Lyon', ...spot } as const;
    const claims = {
      own: { ...spelled, basis: 'geofeed' },
      dbip: { ...spelled, timeZone: 'Europe/Zurich' },
      geolite2: at('villeurbanne'),
    } as const;
    t.match(merge(claims), { cityName: 'Lyon', timeZone: 'Europe/Zurich', feeds: { city: /geolite2/ } });
    t.end();
  },
);

t.test('the country is a weighted vote', (t) => {
  const votes: [rule: string, claims: Claims, country: string, agreeing: string][] = [
    [
      'two against one',
      { geolite2: { country: 'FR' }, dbip: { country: 'DE' }, ip2location: { country: 'DE' } },
      'DE',
      'dbip ip2location',
    ],
    [
      'equal sums go to the stronger basis',
      { own: { country: 'DE', basis: 'registration' }, ip2region: { country: 'FR', region: 'FR-ARA' } },
      'FR',
      'ip2region',
    ],
    [
      'then to the feed on the earlier line of the policy',
      { dbip: { country: 'DE', basis: 'registration' }, geolite2: { country: 'FR', basis: 'registration' } },
      'FR',
      'geolite2',
    ],
    [
      'Chinese feeds weigh less outside of China',
      { ipinfo: { country: 'FR' }, ip2region: { country: 'DE' }, qqwry: { country: 'DE' } },
      'FR',
      'ipinfo',
    ],
    [
      'and as much as other feeds within China',
      { geolite2: { country: 'HK' }, ip2region: { country: 'CN' }, qqwry: { country: 'CN' } },
      'CN',
      'ip2region qqwry',
    ],
    [
      'an observation outweighs registrations',
      { own: { country: 'DE', basis: 'registration' }, ipinfo: { country: 'FR' } },
      'FR',
      'ipinfo',
    ],
    [
      'a registration alone has a low confidence',
      { own: { country: 'DE', basis: 'registration' } },
      'DE',
      'own',
    ],
    [
      'a low grade by the publisher reduces the weight',
      { ipapi: { country: 'DE', accuracyClass: 5 }, ip2region: { country: 'FR' } },
      'FR',
      'ip2region',
    ],
    [
      'the best grade does not',
      { ipapi: { country: 'DE', accuracyClass: 1 }, ip2region: { country: 'FR' } },
      'DE',
      'ipapi',
    ],
    [
      'the grade also counts for registrations',
      {
        ipapi: { country: 'DE', basis: 'registration', accuracyClass: 2 },
        qqwry: { country: 'FR', basis: 'registration' },
      },
      'FR',
      'qqwry',
    ],
  ];
  for (const [rule, claims, country, agreeing] of votes) {
    const countryShare = shareOf('country', claims, agreeing);
    t.match(merge(claims), { country, countryShare, feeds: { country: agreeing } }, rule);
  }
  t.end();
});

t.test('the share of a decision is at least SHARE_STEP, however low the weights', (t) => {
  const claims: Claims = { ipapi: { country: 'FR', basis: 'registration', accuracyClass: 5 } };
  t.match(merge(claims), { countryShare: SHARE_STEP });
  t.end();
});

t.test('a city by GeoLite2 outweighs any number of feeds that name only the country of registration', (t) => {
  const bare = { country: 'DE' };
  const own: Claim = { country: 'DE', basis: 'registration' };
  const geolite2 = at('lyon');
  const claims = { own, geolite2, dbip: bare, ipinfo: bare, ip2location: bare, ip2region: bare, qqwry: bare };
  const countryShare = shareOf('country', claims, 'geolite2');
  t.match(merge(claims), { country: 'FR', countryShare, cityId: lyon.id });
  t.match(merge({ ...claims, geolite2: { country: 'FR' } }), { country: 'DE' }, 'its country alone does not');
  t.match(merge({ geolite2 }), { countryShare: 100, regionShare: 100, cityShare: 100 });
  t.end();
});

t.test('a region or city with little support is not decided', (t) => {
  const ip2region = at('lyon', { latitude: 45.7, longitude: 4.8, timeZone: 'Europe/Paris' });
  const bare = { country: 'FR', decidedBy: 'ip2region', rule: 'vote', feeds: { country: 'ip2region' } };
  t.same(merge({ ip2region }), {
    ...bare,
    countryShare: shareOf('country', { ip2region }, 'ip2region'),
  });
  const centre = { country: 'FR', latitude: 46, longitude: 2, timeZone: 'Zone/France' };
  t.match(
    merge({ ip2region, dbip: centre }),
    { latitude: 46, longitude: 2, radiusKm: 1000, timeZone: 'Zone/France' },
    'coordinates and time zone are those of the country',
  );
  t.match(
    merge({ ip2region, qqwry: at('grenoble') }),
    { region: 'FR-ARA', feeds: { region: 'ip2region qqwry' } },
    'two feeds agree on the region',
  );
  t.notMatch(merge({ ip2region, qqwry: at('grenoble') }), { cityId: Number });
  t.match(merge({ ip2region, qqwry: at('villeurbanne') }), { cityId: CITIES.villeurbanne.id });
  t.notMatch(merge({ ip2region, qqwry: at('paris') }), { region: String, cityId: Number });
  const own = { country: 'FR', basis: 'geofeed', cityName: 'Bron' } as const;
  t.match(merge({ own, ip2region }), { cityName: 'Bron' }, 'a geofeed decides the levels that it names');
  t.notMatch(merge({ own, ip2region }), { region: String });
  t.end();
});

t.test('a Chinese feed alone decides regions and cities inside China', (t) => {
  for (const feed of ['ip2region', 'qqwry'] as const) {
    t.match(merge({ [feed]: at('shenzhen') }), { region: 'CN-GD', cityId: shenzhen.id, cityShare: 100 });
  }
  const claims = { geolite2: at('shenzhen'), ip2region: at('guangzhou'), qqwry: at('guangzhou') };
  t.match(merge(claims), { cityId: guangzhou.id, feeds: { city: 'ip2region qqwry' } });
  t.match(
    merge({ own: { country: 'HK', basis: 'registration' }, dbip: { country: 'HK' }, qqwry: at('shenzhen') }),
    { country: 'HK' },
    'the country needs more than one of them against a registration',
  );
  t.end();
});

t.test('decidedBy is the heaviest of the feeds that agree', (t) => {
  const claims: Claims = {
    own: { country: 'FR', basis: 'registration' },
    dbip: { country: 'FR' },
    qqwry: { country: 'FR' },
  };
  t.match(merge(claims), { decidedBy: 'dbip', rule: 'vote' });
  t.end();
});

t.test('only feeds that agree on the country vote on the region', (t) => {
  const claims = {
    geolite2: at('cologne'),
    dbip: at('lyon'),
    ip2location: { country: 'FR', region: 'FR-IDF' },
  };
  const merged = merge(claims);
  const { dbip, ip2location } = claims;
  const regionShare = shareOf('region', { dbip, ip2location }, 'dbip');
  t.match(merged, { country: 'FR', region: 'FR-ARA', regionShare, cityId: lyon.id });
  t.match(merged, { feeds: { country: 'dbip ip2location', region: 'dbip', city: 'dbip' } });
  t.end();
});

t.test('only feeds that agree on the region vote on the city', (t) => {
  const claims = { geolite2: at('paris'), dbip: at('lyon'), ip2location: at('grenoble') };
  const merged = merge(claims);
  const { dbip, ip2location } = claims;
  t.match(merged, {
    region: 'FR-ARA',
    regionShare: shareOf('region', claims, 'dbip ip2location'),
    cityId: lyon.id,
    cityShare: shareOf('city', { dbip, ip2location }, 'dbip'),
  });
  t.end();
});

t.test('the text of a region counts only if no feed has a code', (t) => {
  const text = { country: 'FR', regionName: 'Rhone-Alpes' };
  t.match(merge({ dbip: text, geolite2: { ...text }, ip2location: at('paris') }), {
    region: 'FR-IDF',
    regionShare: shareOf('region', { ip2location: at('paris') }, 'ip2location'),
    feeds: { region: 'ip2location' },
  });
  t.match(merge({ dbip: text, geolite2: { country: 'FR' } }), {
    regionName: 'Rhone-Alpes',
    regionShare: shareOf('region', { dbip: text }, 'dbip'),
    feeds: { country: 'geolite2 dbip', region: 'dbip' },
  });
  t.end();
});

t.test('a claim without a region takes part if its city lies in the region or nearby', (t) => {
  const geolite2 = at('lyon');
  t.match(
    merge({ geolite2, dbip: { country: 'FR', cityId: grenoble.id } }),
    { region: 'FR-ARA', cityId: lyon.id, cityShare: 50, feeds: { region: 'geolite2 dbip' } },
    'its city lies in the region',
  );
  const text = { country: 'FR', cityName: 'Bron', regionName: 'Lyonnais' };
  t.match(
    merge({ geolite2, dbip: { ...text, latitude: 45.73, longitude: 4.91 } }),
    { region: 'FR-ARA', cityId: lyon.id, feeds: { region: 'geolite2', city: 'geolite2 dbip' } },
    'its coordinates are near',
  );
  t.match(
    merge({ geolite2, dbip: { ...text, latitude: 47, longitude: 4.91 } }),
    { cityId: lyon.id, cityShare: 100, feeds: { city: 'geolite2' } },
    'its coordinates are far away: it takes no part',
  );
  t.match(merge({ geolite2, dbip: text }), { feeds: { city: 'geolite2' } }, 'its position is unknown');
  t.end();
});

t.test('cities within 50 km of each other count as one, with the id of the greatest weight', (t) => {
  const merged = merge({ geolite2: at('bonn'), dbip: at('cologne'), ip2location: at('cologne') });
  t.match(merged, { cityId: cologne.id, cityShare: 100, feeds: { city: 'geolite2 dbip ip2location' } });
  t.match(merged, { latitude: cologne.latitude, timeZone: 'Europe/Berlin', radiusKm: 50 });
  t.match(merge({ dbip: at('cologne'), geolite2: at('bonn') }), { cityId: bonn.id }, 'ties by precedence');
  const far = { geolite2: at('shenzhen'), dbip: at('guangzhou'), qqwry: at('guangzhou') };
  t.match(merge(far), { cityId: guangzhou.id, cityShare: 60, feeds: { city: 'dbip qqwry' } });
  t.match(merge({ geolite2: at('shenzhen'), qqwry: at('guangzhou') }), { cityId: shenzhen.id });
  t.end();
});

t.test('a cluster of two beats a single feed, and a claim may belong to several clusters', (t) => {
  const line = (longitude: number, cityName: string): Claim => ({
    country: 'FR',
    region: 'FR-ARA',
    cityName,
    latitude: 45,
    longitude,
  });
  // About 39 km between neighbours: the middle one is near both others, but those are not near each other.
  const claims = { geolite2: line(4, 'West'), dbip: line(4.5, 'Middle'), ipapi: line(5, 'East') };
  t.match(merge(claims), { cityName: 'West', cityShare: 100, feeds: { city: 'geolite2 dbip ipapi' } });
  const apart = { geolite2: line(4, 'West'), dbip: line(7, 'Far'), ipapi: line(7.2, 'Farther') };
  const cityShare = shareOf('city', apart, 'dbip ipapi');
  t.match(merge(apart), { cityName: 'Far', latitude: 45, longitude: 7, cityShare });
  t.end();
});

t.test('a text counts as a city if it has coordinates, or if no other claim can be compared', (t) => {
  const region = { country: 'FR', region: 'FR-ARA' };
  const oullins = { ...region, cityName: 'Oullins', latitude: 45.71, longitude: 4.81 };
  t.match(
    merge({ dbip: oullins, ip2location: at('lyon'), geolite2: at('grenoble') }),
    { cityId: lyon.id, feeds: { city: 'dbip ip2location' } },
    'it is near an id, which names the cluster',
  );
  t.match(merge({ dbip: oullins }), {
    cityName: 'Oullins',
    latitude: 45.71,
    radiusKm: 50,
    cityShare: shareOf('city', { dbip: oullins }, 'dbip'),
  });
  const text = { ...region, cityName: '里昂' };
  t.match(merge({ dbip: text, ip2location: at('grenoble') }), {
    cityId: grenoble.id,
    cityShare: shareOf('city', { ip2location: at('grenoble') }, 'ip2location'),
  });
  t.match(
    merge({ qqwry: text, ip2region: text, ip2location: { ...text, cityName: 'Lyonn' } }),
    { cityName: 'Lyonn', feeds: { city: 'ip2location' } },
    'equal texts agree, but two Chinese feeds weigh less than one other feed here',
  );
  t.end();
});

t.test('coordinates come from feeds that name the same city, then from the gazetteer', (t) => {
  const geolite2 = at('bonn', { latitude: 50.7, longitude: 7.1, radiusKm: 10 });
  const dbip = at('cologne', { latitude: 50.95, longitude: 6.97 });
  t.match(merge({ geolite2, dbip, ip2location: at('cologne') }), { ...dbip, radiusKm: 50 });
  t.match(merge({ geolite2, ipapi: at('cologne'), ip2location: at('cologne') }), {
    cityId: cologne.id,
    latitude: cologne.latitude,
    radiusKm: 50,
  });
  const somewhere = { country: 'DE', cityId: 1 };
  t.match(
    merge({ geolite2: somewhere, dbip: { country: 'DE', cityId: 1, latitude: 50, longitude: 7 } }, NO_PLACES),
    { cityId: 1, latitude: 50, longitude: 7 },
    'a city unknown to the gazetteer gets the coordinates of a feed',
  );
  t.match(
    merge({ dbip: { ...dbip, latitude: 50.951234567 } }),
    { latitude: 50.9512 },
    'rounded to about 11 m',
  );
  t.end();
});

t.test('without a city, the centre of a region or country has a large radius', (t) => {
  const centre = { latitude: 45.5, longitude: 4.5 };
  const region = { country: 'FR', region: 'FR-ARA' };
  t.match(merge({ geolite2: { ...region, ...centre, radiusKm: 500 } }), { ...centre, radiusKm: 500 });
  t.match(merge({ geolite2: { ...region, ...centre } }), { ...centre, radiusKm: 200 });
  t.match(merge({ geolite2: { country: 'FR', ...centre } }), { ...centre, radiusKm: 1000 });
  t.notMatch(
    merge({ geolite2: { country: 'FR', ...centre }, dbip: region }),
    centre,
    'the centre of a country is not used for a region',
  );
  t.match(merge({ geolite2: { ...region, timeZone: 'Europe/Paris' } }), { timeZone: 'Europe/Paris' });
  t.end();
});

/** The coordinates that the gazetteer gives an area. */
function centerOf({ latitude, longitude, radiusKm }: (typeof AREAS)[keyof typeof AREAS]): object {
  return { latitude, longitude, radiusKm };
}

t.test('coordinates that no claim gives are those of the region, else of the country', (t) => {
  const country: Claim = { country: 'FR' };
  const rhone: Claim = { country: 'FR', region: 'FR-ARA' };
  const expected: [claim: Claim, area: keyof typeof AREAS][] = [
    [country, 'france'],
    [rhone, 'rhone'],
    [{ country: 'FR', region: 'FR-IDF' }, 'france'],
    [{ country: 'FR', regionName: 'Rhône' }, 'france'],
    [{ ...rhone, cityName: 'Oullins' }, 'rhone'],
    [{ ...country, cityName: 'Oullins' }, 'france'],
    [{ ...rhone, cityId: 1 }, 'rhone'],
    [{ country: 'US' }, 'us'],
  ];
  for (const [dbip, area] of expected) {
    t.match(merge({ dbip }, PLACES_WITH_AREAS), centerOf(AREAS[area]), JSON.stringify(dbip));
  }
  const { latitude, longitude } = lyon;
  t.match(merge({ dbip: at('lyon') }, PLACES_WITH_AREAS), { latitude, longitude, radiusKm: 50 });
  t.notMatch(merge({ dbip: { country: 'IT' } }, PLACES_WITH_AREAS), { latitude: Number });
  t.end();
});

t.test('a claim’s own coordinates in an area count if they are those of a place in it', (t) => {
  const spot = { country: 'FR', latitude: 43.7, longitude: 7.27 };
  const near = { geolite2: { ...spot, radiusKm: AREAS.france.radiusKm / 2 } };
  const radiusKm = accuracyRadiusOf('country', near.geolite2, false);
  t.match(merge(near, PLACES_WITH_AREAS), { ...near.geolite2, radiusKm });
  for (const radiusKm of [AREAS.france.radiusKm / 2 + 1, undefined]) {
    const wide = { geolite2: { ...spot, ...(radiusKm !== undefined && { radiusKm }) } };
    t.match(merge(wide, PLACES_WITH_AREAS), centerOf(AREAS.france), `radius ${radiusKm ?? 'unknown'}`);
  }
  t.match(
    merge({ ...near, dbip: { country: 'FR', region: 'FR-ARA' } }, PLACES_WITH_AREAS),
    centerOf(AREAS.rhone),
    'the position in a country does not count for a region',
  );
  t.end();
});

t.test(
  'an override without coordinates gets those of the area, unless it states that there are none',
  (t) => {
    const own = { country: 'FR', region: 'FR-ARA', basis: 'override' } as const;
    t.match(merge({ own }, PLACES_WITH_AREAS), { latitude: 45.4, timeZone: 'Europe/Paris' });
    const unplaced = merge({ own: { ...own, coordinates: 'none' } }, PLACES_WITH_AREAS);
    t.notMatch(unplaced, { latitude: Number });
    t.match(unplaced, { timeZone: 'Europe/Paris' });
    t.match(merge({ own: { ...own, latitude: 0, longitude: 0 } }, PLACES_WITH_AREAS), { latitude: 0 });
    t.end();
  },
);

t.test('a country with one time zone has it everywhere; in others, a region may have one', (t) => {
  const zoned = (claim: Claim, timeZone: string | undefined): void => {
    const merged = merge({ geolite2: claim }, PLACES_WITH_AREAS) as { timeZone?: string };
    t.equal(merged.timeZone, timeZone, JSON.stringify(claim));
  };
  zoned({ country: 'FR' }, 'Europe/Paris');
  zoned({ country: 'FR', timeZone: 'Europe/London' }, 'Europe/Paris');
  zoned({ country: 'DE', region: 'DE-NW', cityName: 'Hürth' }, 'Europe/Berlin');
  zoned({ country: 'US' }, undefined);
  zoned({ country: 'US', timeZone: 'America/Denver' }, 'America/Denver');
  zoned({ country: 'US', region: 'US-CA' }, 'America/Los_Angeles');
  zoned({ country: 'US', region: 'US-CA', cityName: 'Anaheim' }, 'America/Los_Angeles');
  zoned({ country: 'US', region: 'US-TX' }, undefined);
  t.end();
});

t.test('the time zone is the city’s, else that of an agreeing feed', (t) => {
  const wrong = at('lyon', { timeZone: 'Europe/London' });
  t.match(merge({ ipapi: wrong }), { timeZone: 'Europe/Paris' });
  t.match(merge({ ipapi: wrong }, NO_PLACES), { timeZone: 'Europe/London' });
  t.match(merge({ geolite2: at('lyon'), ipapi: wrong }, NO_PLACES), { timeZone: 'Europe/London' });
  t.end();
});

t.test('Hong Kong and Macao have no regions, Taiwan does', (t) => {
  const geolite2 = at('hongKong', { region: 'HK-HCW' });
  const merged = merge({ geolite2, ip2region: { country: 'HK', cityName: '香港' } });
  t.match(merged, { country: 'HK', cityId: CITIES.hongKong.id, timeZone: 'Asia/Hong_Kong' });
  t.notMatch(merged, { region: 'HK-HCW' });
  t.notMatch(merge({ qqwry: { country: 'MO', regionName: '澳门' } }), { regionName: '澳门' });
  t.match(merge({ geolite2: at('taipei') }), { country: 'TW', region: 'TW-TPE' });
  t.match(
    merge({ geolite2: at('hongKong'), dbip: at('hongKong'), qqwry: at('shenzhen') }),
    { country: 'HK', cityShare: 100 },
    'Shenzhen is near, but in another country',
  );
  t.end();
});

t.test('the registered country comes from registry data first, even if nothing else is known', (t) => {
  t.same(merge({ own: { registeredCountry: 'SE' } }), { registeredCountry: 'SE' });
  t.same(merge({ geolite2: { registeredCountry: 'SE' } }), { registeredCountry: 'SE' });
  const both = { own: { registeredCountry: 'SE' }, geolite2: at('lyon', { registeredCountry: 'NO' }) };
  t.match(merge(both), { country: 'FR', registeredCountry: 'SE' });
  t.match(merge({ own: { country: 'GB', registeredCountry: 'GB', basis: 'registration' } }), {
    country: 'GB',
    registeredCountry: 'GB',
  });
  t.same(merge({ dbip: { registeredCountry: 'SE' } }), {}, 'registered countries of other feeds are ignored');
  t.end();
});

t.test('without a country there is no decision', (t) => {
  t.equal(mergeLocation({}, EXAMPLE_PLACES), undefined);
  t.equal(mergeLocation({ own: { isp: 'x' }, qqwry: { cityName: 'x' } }, EXAMPLE_PLACES), undefined);
  t.end();
});
