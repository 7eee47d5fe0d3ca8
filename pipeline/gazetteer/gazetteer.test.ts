import { join } from 'node:path';
import t from 'tap';
import { SNAPSHOT } from '../../fixtures/generate/geolite2.js';
import { openFileAt, PROJECT_ROOT } from '../../fixtures/open-file.js';
import { Gazetteer, type Place } from './gazetteer.js';
import { fromJson, toJson } from './gazetteer-json.js';
import { readGazetteer } from './read-gazetteer.js';

const file = openFileAt(join(PROJECT_ROOT, `fixtures/feeds/geolite2/${SNAPSHOT}.zip`), 'zip');
const gazetteer = await readGazetteer([{ ...file, folder: 'own', name: 'overrides.csv' }, file]);

t.test('cities have ids, names in both languages, region, continent and zone', (t) => {
  t.same(gazetteer.placeOf(1809858), {
    id: 1809858,
    kind: 'city',
    continent: 'AS',
    country: 'CN',
    region: 'CN-GD',
    timeZone: 'Asia/Shanghai',
    names: { en: 'Guangzhou', 'zh-CN': '广州市' },
  });
  t.end();
});

t.test('a city without a Chinese name has none, not that of its region', (t) => {
  t.same(gazetteer.placeOf(5128581)?.names, { en: 'New York' });
  t.equal(gazetteer.placeOf(5128581)?.kind, 'city');
  t.end();
});

t.test('countries and continents are known by code, countries without a zone', (t) => {
  t.same(gazetteer.countryOf('CN'), {
    id: 1814991,
    kind: 'country',
    continent: 'AS',
    country: 'CN',
    names: { en: 'China', 'zh-CN': '中国' },
  });
  t.equal(gazetteer.countryOf('XK')?.names['zh-CN'], '科索沃');
  t.same(gazetteer.continentOf('SA'), { code: 'SA', names: { en: 'South America', 'zh-CN': '南美洲' } });
  t.end();
});

t.test('regions are known by code, with an id where they have a row of their own', (t) => {
  t.same(gazetteer.regionOf('US-NY'), {
    code: 'US-NY',
    country: 'US',
    id: 5128638,
    names: { en: 'New York', 'zh-CN': '纽约州' },
  });
  t.equal(gazetteer.placeOf(5128638)?.kind, 'region');
  t.same(gazetteer.regionOf('CN-JS'), {
    code: 'CN-JS',
    country: 'CN',
    names: { en: 'Jiangsu', 'zh-CN': '江苏省' },
  });
  t.end();
});

t.test('what the feeds never say is not there', (t) => {
  t.equal(gazetteer.countryOf('AN'), undefined, 'a withdrawn country');
  t.equal(gazetteer.placeOf(3513447), undefined, 'its row');
  t.equal(gazetteer.placeOf(443339), undefined, 'a district');
  t.equal(gazetteer.placeOf(6255148), undefined, 'a continent');
  t.equal(gazetteer.regionOf('HK-HCW'), undefined, 'a district of Hong Kong');
  t.equal(gazetteer.countryOf('EU'), undefined);
  t.end();
});

t.test('cities are found by either name, folded, in their country and region', (t) => {
  const idOf = (name: string, country: string, region?: string) =>
    gazetteer.findCity(name, country, region)?.id;
  t.equal(idOf('GUANGZHOU', 'CN'), 1809858);
  t.equal(idOf('广州', 'CN', 'CN-GD'), 1809858);
  t.equal(idOf('吉林', 'CN'), 2036502, 'the city, not the province');
  t.equal(idOf('台北市', 'TW', 'TW-TPE'), 1668341);
  t.equal(idOf('Hong Kong', 'HK'), 1819729);
  t.equal(idOf('香港', 'HK', 'HK-HCW'), 1819729, 'a city outside of any region');
  t.equal(idOf('Guangzhou', 'TW'), undefined);
  t.equal(idOf('Guangzhou', 'CN', 'CN-JS'), undefined);
  t.equal(idOf('China', 'CN'), undefined, 'a country is no city');
  t.equal(idOf('', 'CN'), undefined);
  t.end();
});

t.test('of namesakes none is taken, unless the region tells them apart', (t) => {
  const springfield = (id: number, region: string): Place => ({
    id,
    kind: 'city',
    continent: 'NA',
    country: 'US',
    region,
    names: { en: 'Springfield' },
  });
  const two = new Gazetteer({
    continents: [],
    regions: [],
    places: [
      springfield(1, 'US-IL'),
      springfield(2, 'US-MA'),
      springfield(3, 'US-OH'),
      springfield(4, 'US-OH'),
    ],
  });
  t.equal(two.findCity('Springfield', 'US'), undefined);
  t.equal(two.findCity('springfield', 'US', 'US-MA')?.id, 2);
  t.equal(two.findCity('springfield', 'US', 'US-OH'), undefined);
  t.end();
});

t.test('a region is read as a code, a code without its country, or a name', (t) => {
  const cases = [
    ['US-CA', 'US', 'US-CA'],
    ['us-ca', 'US', 'US-CA'],
    [' CA ', 'US', 'US-CA'],
    ['California', 'US', 'US-CA'],
    ['加州', 'US', 'US-CA'],
    ['广东省', 'CN', 'CN-GD'],
    ['GD', 'CN', 'CN-GD'],
    ['São Paulo', 'BR', 'BR-SP'],
    ['UK-ENG', 'GB', 'GB-ENG'],
    ['US-ZZ', 'US', 'US-ZZ'],
    ['CA-ON', 'US', undefined],
    ['ZZ', 'US', undefined],
    ['Nowhere', 'US', undefined],
    ['US-CALI', 'US', undefined],
    ['', 'US', undefined],
    ['HK-HCW', 'HK', undefined],
    ['Macao', 'MO', undefined],
  ] as const;
  for (const [text, country, code] of cases) t.equal(gazetteer.parseRegion(text, country), code, text);
  t.end();
});

t.test(
  'property: what was written reads back the same, in one order whatever the order of the places',
  (t) => {
    const json = toJson(gazetteer);
    t.equal(toJson(fromJson(json)), json);
    t.same(fromJson(json).placeOf(5128581), gazetteer.placeOf(5128581));
    const { continents, regions, places } = gazetteer.content;
    const reversed = {
      continents: continents.toReversed(),
      regions: regions.toReversed(),
      places: places.toReversed(),
    };
    t.equal(toJson(new Gazetteer(reversed)), json);
    t.end();
  },
);

t.test('another document is refused', (t) => {
  const json = toJson(gazetteer);
  for (const wrong of [
    '{}',
    'null',
    json.replace('"schema":1', '"schema":2'),
    json.replace('"country":"CN"', '"country":"China"'),
    json.replace('"id":1809858', '"id":"1809858"'),
    json.replace('"kind":"city"', '"kind":"village"'),
    json.replace('"names":{', '"names":{"fr":"",'),
  ]) {
    t.not(wrong, json);
    t.throws(() => fromJson(wrong), { name: 'ZodError' });
  }
  t.throws(() => fromJson(json.slice(0, -1)), SyntaxError);
  t.end();
});

t.test('without the zip there is no gazetteer', async (t) => {
  await t.rejects(readGazetteer([]), {
    name: 'FeedError',
    refusal: 'missing',
    file: 'geolite2/GeoLite2-City-CSV_*.zip',
  });
});
