import t from 'tap';
import { FEED_IDS } from '../feeds/feed-id.js';
import { Gazetteer } from '../gazetteer/gazetteer.js';
import { encodeMmdb, type RecordList } from '../mmdb/write.js';
import { parsePrefix } from '../net/prefix.js';
import { pseudoRandom } from '../table/networks.fixture.js';
import { PrefixTable } from '../table/prefix-table.js';
import { BuiltCityRecords } from './built-city-records.js';
import { CITY_LANGUAGES, CITY_SCHEMA, CityRecords } from './city-record.js';
import type { Location } from './location.js';
import { LocationReader, LocationTable } from './location-table.js';

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
      names: { en: 'Guangzhou' },
    },
  ],
});

/** Every field is absent, or has one of few values. */
function randomLocation(random: (bound: number) => number): Location {
  const oneOf = <T>(...values: readonly T[]): T | undefined => values[random(values.length + 1)];
  return {
    country: oneOf('CN', 'US'),
    region: oneOf('CN-GD', 'US-CA'),
    regionName: oneOf('Guangdong', '广东省'),
    cityId: oneOf(1809858, 0, 0xffff_ffff),
    cityName: oneOf('Guangzhou', '广州', ''),
    latitude: oneOf(0, -0, 23.1291, -89.99),
    longitude: oneOf(0, 113.2644, -180),
    radiusKm: oneOf(0, 50, 1000),
    timeZone: oneOf('Asia/Shanghai', 'UTC'),
    registeredCountry: oneOf('CN', 'FR'),
    decidedBy: oneOf('own', 'dbip'),
    rule: oneOf('vote', 'geofeed'),
    countryFeeds: oneOf(1, 3, 1 << (FEED_IDS.length - 1)),
    regionFeeds: oneOf(1, 2),
    cityFeeds: oneOf(1, 2),
    countryConfidence: oneOf(5, 99),
    regionConfidence: oneOf(5, 95),
    cityConfidence: oneOf(5, 90),
    isAnycast: oneOf(true),
  };
}

/** Returns an MMDB file in which every location has some networks. */
function fileOf(records: RecordList): Buffer {
  const table = new PrefixTable();
  for (let i = 0; i < 2 * records.length; i++) {
    const { address, length } = parsePrefix(`10.${i >>> 8}.${i & 255}.0/24`)!;
    table.insert(address, length, (i * 7) % records.length);
  }
  return encodeMmdb({
    ...{ table: table.flatten(), records, schema: CITY_SCHEMA, languages: CITY_LANGUAGES },
    ...{ databaseType: 'ipatlas-City', description: { en: 'A test' }, ipVersion: 6, buildEpoch: 1 },
  });
}

t.test('built records have the bytes of records made as objects', (t) => {
  const random = pseudoRandom(11);
  const table = new LocationTable();
  for (let i = 0; i < 3000; i++) table.intern(randomLocation(random));
  const locations = new LocationReader(table.columns());
  t.ok(locations.length > 2900, 'almost all are distinct');
  for (const agreement of [true, false]) {
    const made = new CityRecords(gazetteer, { agreement });
    const built = new BuiltCityRecords(new CityRecords(gazetteer, { agreement }), locations);
    const plain = { length: built.length, at: (id: number) => made.recordOf(locations.at(id)) };
    t.ok(fileOf(built).equals(fileOf(plain)), agreement ? 'with agreement' : 'without agreement');
  }
  t.end();
});

t.test('a name that cannot be written is reported with its path', (t) => {
  const table = new LocationTable();
  table.intern({ country: 'CN', cityName: '\ud800' });
  const built = new BuiltCityRecords(new CityRecords(gazetteer), new LocationReader(table.columns()));
  t.throws(() => fileOf(built), { message: /city\/names\/en/ });
  t.end();
});
