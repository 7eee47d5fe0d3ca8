import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import type { FeedId } from '../feeds/feed-id.js';
import { Gazetteer } from '../gazetteer/gazetteer.js';
import { geoip2, pythonLookup, without } from '../mmdb/testing/oracles.js';
import { encodeMmdb } from '../mmdb/write.js';
import { verifyMmdb } from '../mmdb/verify.js';
import { parsePrefix } from '../net/prefix.js';
import type { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';
import { CITY_LANGUAGES, CITY_SCHEMA, CityRecords } from './city-record.js';
import type { Location } from './location.js';
import { mergeTables, type Edition } from './merge-tables.js';
import { placesOf } from './places.js';
import { resolvePlaces } from './resolve-places.js';

const gazetteer = new Gazetteer({
  continents: [{ code: 'AS', names: { en: 'Asia', 'zh-CN': '亚洲' } }],
  regions: [{ code: 'CN-GD', country: 'CN', id: 1809935, names: { en: 'Guangdong', 'zh-CN': '广东' } }],
  places: [
    { id: 1814991, kind: 'country', continent: 'AS', country: 'CN', names: { en: 'China', 'zh-CN': '中国' } },
    {
      id: 1809858,
      kind: 'city',
      continent: 'AS',
      country: 'CN',
      region: 'CN-GD',
      names: { en: 'Guangzhou', 'zh-CN': '广州市' },
      timeZone: 'Asia/Shanghai',
    },
  ],
});

t.test('names become ids within their country, unknown names keep their text', (t) => {
  const { claims, unresolved } = resolvePlaces(
    [
      { country: 'CN', cityName: 'Guangzhou' },
      { country: 'CN', cityName: '广州', regionName: 'Guangdong' },
      { country: 'US', cityName: 'Guangzhou' },
      { country: 'CN', regionName: 'Nowhere', cityName: 'Guangzhou' },
      { cityName: 'Guangzhou' },
      { country: 'CN' },
    ],
    gazetteer,
  );
  const found = { country: 'CN', region: 'CN-GD', cityId: 1809858, timeZone: 'Asia/Shanghai' };
  t.same(claims[0], found);
  t.same(claims[1], found);
  t.same(claims[2], { country: 'US', cityName: 'Guangzhou' });
  t.same(claims[3], found, 'the region is that of the city, whatever the feed calls it');
  t.same(claims[4], { cityName: 'Guangzhou' }, 'without a country names are not resolved');
  t.same(claims[5], { country: 'CN' });
  t.equal(unresolved, 2, 'claims that keep a text');
  t.end();
});

t.test('a location becomes a GeoIP2 City record with names in both languages', (t) => {
  const records = new CityRecords(gazetteer);
  const location = { country: 'CN', region: 'CN-GD', cityId: 1809858, latitude: 0, longitude: 113.26 };
  const timeZone = 'Asia/Shanghai';
  const china = { iso_code: 'CN', geoname_id: 1814991, names: { en: 'China', 'zh-CN': '中国' } };
  const record = records.recordOf({ ...location, timeZone, registeredCountry: 'CN', decidedBy: 'own' });
  t.same(record, {
    city: { geoname_id: 1809858, names: { en: 'Guangzhou', 'zh-CN': '广州市' } },
    continent: { code: 'AS', geoname_id: 6255147, names: { en: 'Asia', 'zh-CN': '亚洲' } },
    country: china,
    location: { latitude: 0, longitude: 113.26, time_zone: 'Asia/Shanghai' },
    registered_country: china,
    subdivisions: [{ iso_code: 'GD', geoname_id: 1809935, names: { en: 'Guangdong', 'zh-CN': '广东' } }],
  });
  t.equal(records.recordOf(location).country, record.country, 'equal parts are one object');
  t.same(records.recordOf({ country: 'FR', region: 'FR-IDF', cityName: 'Paname' }), {
    city: { names: { en: 'Paname' } },
    continent: { code: 'EU', geoname_id: 6255148 },
    country: { iso_code: 'FR' },
    subdivisions: [{ iso_code: 'IDF' }],
  });
  t.same(records.recordOf({ registeredCountry: 'CN' }), { registered_country: china });
  t.end();
});

t.test(
  'clients of GeoIP2 City read whether a network is anycast',
  { skip: without('geoip2') || without('python') },
  (t) => {
    const table = new PrefixTable();
    const locations: Location[] = [
      { country: 'CN', isAnycast: true },
      { country: 'CN', cityId: 1809858 },
      { isAnycast: true },
    ];
    locations.forEach((_, id) => {
      const { address, length } = parsePrefix(`1.0.${id}.0/24`)!;
      table.insert(address, length, id);
    });
    const records = new CityRecords(gazetteer);
    const file = join(t.testdir(), 'geo.mmdb');
    writeFileSync(
      file,
      encode(
        table.flatten(),
        locations.map((location) => records.recordOf(location)),
      ),
    );
    const ips = ['1.0.0.1', '1.0.1.1', '1.0.2.1'];
    const models = geoip2(file, 'city', ips).map((found) => [found?.['country'], found?.['city']]);
    t.same(models, [
      ['CN', null],
      ['CN', 'Guangzhou'],
      [null, null],
    ]);
    // The attribute exists from version 4.8 of geoip2 on; the record has it in every version.
    const traits = pythonLookup(file, ips).map(({ record }) => (record as { traits?: unknown }).traits);
    t.same(traits, [{ is_anycast: true }, undefined, { is_anycast: true }]);
    t.notOk('traits' in records.recordOf(locations[1]!), 'absent, not false');
    t.end();
  },
);

t.test('each level has its confidence, the registered country has none', (t) => {
  const records = new CityRecords(gazetteer);
  const location = { country: 'CN', region: 'CN-GD', cityId: 1809858, registeredCountry: 'CN' };
  const shares = { countryConfidence: 90, regionConfidence: 70, cityConfidence: 40 };
  const record = records.recordOf({ ...location, ...shares });
  t.match(record, { country: { confidence: 90 }, city: { confidence: 40 } });
  t.equal(record.subdivisions?.[0]?.confidence, 70);
  t.notMatch(record.registered_country, { confidence: /./ });
  t.equal(records.recordOf({ ...location, ...shares }).city, record.city, 'equal confidences share the part');
  t.equal(records.recordOf({ ...location, ...shares, cityConfidence: 50 }).city?.confidence, 50);
  const texts = { country: 'CN', regionName: 'x', cityName: 'x', ...shares };
  t.match(records.recordOf(texts), { city: { confidence: 40, names: { en: 'x' } } });
  t.match(records.recordOf(texts).subdivisions, [{ confidence: 70, names: { en: 'x' } }]);
  t.end();
});

t.test('agreement is written only on request', (t) => {
  const location: Location = {
    country: 'CN',
    cityId: 1809858,
    rule: 'vote',
    countryFeeds: 0b1000_0011,
    cityFeeds: 0b10,
  };
  const record = new CityRecords(gazetteer, { agreement: true }).recordOf(location);
  const country = ['own', 'geolite2', 'qqwry'];
  t.same(record.agreement, { rule: 'vote', country, city: ['geolite2'] });
  t.notOk('agreement' in new CityRecords(gazetteer).recordOf(location));
  const unlocated = new CityRecords(gazetteer, { agreement: true }).recordOf({ registeredCountry: 'CN' });
  t.notOk('agreement' in unlocated);
  t.end();
});

t.test('every record of a merged file fits the schema', (t) => {
  const claims = [
    { country: 'CN', cityId: 1809858, region: 'CN-GD' },
    { country: 'FR', anycast: 'listed' as const },
  ];
  const table = new PrefixTable();
  for (const [text, id] of [
    ['1.0.1.0/24', 0],
    ['2001:db8::/32', 1],
  ] as const) {
    const prefix = parsePrefix(text)!;
    table.insert(prefix.address, prefix.length, id);
  }
  const own = new PrefixTable();
  const prefix = parsePrefix('1.0.0.0/16')!;
  own.insert(prefix.address, prefix.length, 0);
  const edition: Edition = {
    places: placesOf(gazetteer),
    claims: new Map<FeedId, readonly Claim[]>([
      ['own', [{ country: 'CN', basis: 'registration', registeredCountry: 'CN' }]],
      ['geolite2', claims],
    ]),
  };
  const merged = mergeTables(
    [
      { feed: 'own', table: own.flatten() },
      { feed: 'geolite2', table: table.flatten() },
    ],
    [edition],
  )[0]!;
  t.equal(merged.locations.length, 3);
  const records = new CityRecords(gazetteer, { agreement: true });
  const bytes = encode(
    merged.table,
    merged.locations.map((location) => records.recordOf(location)),
  );
  t.same(verifyMmdb(bytes, { schema: CITY_SCHEMA }).problems, []);
  t.end();
});

function encode(table: FlatTable, records: readonly object[]): Buffer {
  return encodeMmdb({
    table,
    records,
    schema: CITY_SCHEMA,
    databaseType: 'ipatlas-City',
    description: { en: 'test' },
    languages: CITY_LANGUAGES,
    ipVersion: 6,
    buildEpoch: 1,
  });
}
