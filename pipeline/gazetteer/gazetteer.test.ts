import t from 'tap';
import { isoSubdivisions } from '../input/names/iso3166-2.js';
import { countryCodes } from '../input/names/iso3166.js';
import { TERMS } from '../input/published-source.js';
import { CHINESE_REGIONS, chinesePrefectures } from './china.js';
import { CITY_REGIONS } from './city-regions.js';
import { Gazetteer, type Place } from './gazetteer.js';
import { fromJson, toJson } from './gazetteer-json.js';
import { readGazetteer } from './read-gazetteer.js';
import { fixtureFiles } from './testing/fixture-files.js';

const gazetteer = await readGazetteer(fixtureFiles(), new Set(TERMS));

t.test(
  'cities have ids, names in both languages, region, continent, coordinates, zone and inhabitants',
  (t) => {
    t.same(gazetteer.placeOf(1809858), {
      id: 1809858,
      kind: 'city',
      continent: 'AS',
      country: 'CN',
      region: 'CN-GD',
      names: { en: 'Guangzhou', 'zh-CN': '广州市' },
      alternates: ['canton', 'cantao', 'can', '廣州'].sort(),
      latitude: 23.11667,
      longitude: 113.25,
      timeZone: 'Asia/Shanghai',
      population: 16096724,
    });
    t.end();
  },
);

t.test('a name comes from the best source with one', (t) => {
  const names = (id: number) => gazetteer.placeOf(id)?.names;
  t.same(names(5128581), { en: 'New York', 'zh-CN': '纽约' }, 'GeoLite2 has no Chinese name of New York');
  t.same(names(6058560), { en: 'London', 'zh-CN': '伦敦' }, 'GeoNames before dr5hn');
  t.same(names(3936952), { en: 'Huacho', 'zh-CN': '瓦乔' }, 'dr5hn if it is the same place');
  t.same(names(3928924), { en: 'Huaral' }, 'the name of a distant namesake is not used');
  t.same(names(2925535)?.['zh-CN'], '奥得河畔法兰克福', 'a file with quoting');
  t.same(names(1850692)?.en, '"Takaishi"', 'a file without quoting');
  t.same(names(1805270)?.['zh-CN'], '吉首市', 'the table of Chinese prefectures');
  t.end();
});

t.test('every country, continent, Chinese province and prefecture has names in both languages', (t) => {
  for (const code of [...countryCodes()]) {
    const country = gazetteer.countryOf(code);
    t.match(
      country,
      { kind: 'country', country: code, names: { en: /\w/, 'zh-CN': /\p{Script=Han}/u } },
      code,
    );
    t.match(gazetteer.continentOf(country!.continent)?.names, { en: /\w/, 'zh-CN': /洲$/ });
    t.notOk(country?.timeZone);
  }
  t.equal(Object.keys(CHINESE_REGIONS).length, 31 + 22);
  for (const code of Object.keys(CHINESE_REGIONS)) {
    t.match(gazetteer.regionOf(code)?.names, { en: /\w/, 'zh-CN': /[省市区县]$/ }, code);
  }
  const ids = chinesePrefectures().flatMap(({ id }) => (id === undefined ? [] : [id]));
  t.equal(new Set(ids).size, ids.length);
  for (const { id, region, city } of chinesePrefectures()) {
    if (id !== undefined) t.match(gazetteer.placeOf(id), { region, names: { 'zh-CN': city } }, city);
  }
  t.end();
});

t.test('regions are known by code, with the ids of their own rows', (t) => {
  t.match(gazetteer.regionOf('US-NY'), {
    code: 'US-NY',
    country: 'US',
    id: 5128638,
    names: { en: 'New York', 'zh-CN': '纽约州' },
  });
  t.equal(gazetteer.placeOf(5128638)?.kind, 'region');
  t.match(gazetteer.regionOf('KZ-63'), {
    id: 1517381,
    names: { en: 'East Kazakhstan', 'zh-CN': '东哈萨克斯坦州' },
  });
  t.equal(gazetteer.regionOf('KE-29')?.names['zh-CN'], '穆兰加');
  t.equal(gazetteer.topRegionOf('FR-13'), 'FR-PAC');
  t.equal(gazetteer.topRegionOf('US-NY'), 'US-NY');
  t.end();
});

t.test('every region of the gazetteer is in ISO 3166-2', (t) => {
  const listed = new Set(isoSubdivisions().map(({ code }) => code));
  const { regions, places } = gazetteer.content;
  const codes = [...regions.map(({ code }) => code), ...places.flatMap(({ region }) => region ?? [])];
  t.same(new Set(codes.filter((code) => !listed.has(code))), new Set());
  t.ok(codes.length > 3000);
  t.end();
});

t.test('a city that is a first-level region is in that region, whatever its sources say', (t) => {
  const cities = gazetteer.content.places.filter(({ kind }) => kind === 'city');
  for (const [region, id] of Object.entries(CITY_REGIONS)) {
    t.ok(gazetteer.regionOf(region), region);
    const city = cities.find((one) => one.id === id);
    if (city !== undefined) t.equal(city.region, region);
  }
  t.end();
});

t.test('withdrawn countries, former places and districts are not included', (t) => {
  t.equal(gazetteer.countryOf('AN'), undefined, 'a withdrawn country');
  t.equal(gazetteer.placeOf(3513447), undefined, 'its row');
  t.equal(gazetteer.placeOf(443339), undefined, 'a district');
  t.equal(gazetteer.placeOf(361055), undefined, 'a historical place');
  t.equal(gazetteer.placeOf(6255148), undefined, 'a continent');
  t.equal(gazetteer.regionOf('HK-HCW'), undefined, 'a district of Hong Kong');
  t.equal(gazetteer.regionOf('HK-KKC'), undefined);
  t.equal(gazetteer.regionOf('CN-TW'), undefined);
  t.equal(gazetteer.placeOf(104515)?.region, undefined, 'division code 00 means none');
  t.equal(gazetteer.countryOf('EU'), undefined);
  t.end();
});

t.test('cities are found by any folded name in their country and region', (t) => {
  const cases: [name: string, country: string, region: string | undefined, id: number | undefined][] = [
    ['GUANGZHOU', 'CN', undefined, 1809858],
    ['Canton', 'CN', 'CN-GD', 1809858],
    ['广州', 'CN', 'CN-GD', 1809858],
    ['广东省广州市', 'CN', undefined, 1809858],
    ['吉林', 'CN', undefined, 2036502],
    ['吉林市', 'CN', 'CN-JL', 2036502],
    ['湘西', 'CN', 'CN-HN', 1805270],
    ['湘西州', 'CN', undefined, 1805270],
    ['湘西土家族苗族自治州', 'CN', 'CN-HN', 1805270],
    ['海淀区', 'CN', 'CN-BJ', 1793899],
    ['朝阳区', 'CN', 'CN-BJ', 1816670],
    ['浦东新区', 'CN', 'CN-SH', 1796236],
    ['上海', 'CN', 'CN-SH', 1796236],
    ['台北市', 'TW', 'TW-TPE', 1668341],
    ['Hong Kong', 'HK', undefined, 1819729],
    ['香港', 'HK', 'HK-HCW', 1819729],
    ['Wan Chai', 'HK', undefined, 1819729],
    ['Kowloon', 'HK', undefined, 1819609],
    ['Ōsaka', 'JP', undefined, 1853909],
    ['大阪府大阪市', 'JP', undefined, 1853909],
    ['Chiyoda, Tokyo', 'JP', undefined, 1850147],
    ['Krung Thep Maha Nakhon', 'TH', undefined, 1609350],
    ['Sathorn', 'TH', 'TH-10', 1609350],
    ['Warszawa', 'PL', undefined, 756135],
    ['Koeln', 'DE', undefined, 2886242],
    ['Cologne (Altstadt)', 'DE', 'DE-NW', 2886242],
    ['Frankfurt', 'DE', 'DE-HE', 2925533],
    ['Frankfurt', 'DE', undefined, 2925533],
    ['Frankfurt (Oder)', 'DE', undefined, 2925535],
    ['Saint Louis', 'US', undefined, 4407066],
    ['New York City', 'US', 'US-NY', 5128581],
    ['Guangzhou', 'JP', undefined, undefined],
    ['The Bronx', 'US', 'US-NY', undefined],
    ['Guangzhou', 'CN', 'CN-JS', undefined],
    ['Canton', 'US', undefined, undefined],
    ['China', 'CN', undefined, undefined],
    ['', 'CN', undefined, undefined],
    ['()', 'CN', undefined, undefined],
  ];
  for (const [name, country, region, id] of cases) {
    t.equal(gazetteer.findCity(name, country, region)?.id, id, `${name}, ${region ?? country}`);
  }
  t.end();
});

t.test('of namesakes the one in the region is chosen, else the nearest, else the largest', (t) => {
  const idOf = (query: object) =>
    gazetteer.matchPlace({ country: 'US', cityName: 'Springfield', ...query }).city?.id;
  t.equal(idOf({ region: 'US-MA' }), 4951788);
  t.equal(idOf({ regionName: 'Illinois' }), 4250542);
  t.equal(idOf({ regionName: '伊利诺伊' }), 4250542);
  t.equal(idOf({ latitude: 39.9, longitude: -83.8 }), 4525353);
  t.equal(idOf({}), 4409896, 'the largest');
  t.equal(idOf({ latitude: 25.8, longitude: -80.2 }), undefined, 'none is within 100 km of Miami');
  t.equal(
    idOf({ region: 'US-IL', latitude: 42.1, longitude: -72.6 }),
    4951788,
    'places do not move, regions may err',
  );
  t.equal(idOf({ region: 'US-NY' }), undefined, 'not in this region');
  t.equal(idOf({ region: 'US-TX' }), 4409896, 'a region without cities does not distinguish');
  t.equal(gazetteer.findCity('Lima', 'PE', 'PE-LIM')?.id, 3936456, 'next to the named region');
  t.end();
});

t.test('equal namesakes give no match', (t) => {
  const springfield = (id: number, region: string): Place => {
    return { id, kind: 'city', continent: 'NA', country: 'US', region, names: { en: 'Springfield' } };
  };
  const places = [1, 2, 3, 4].map((id) => springfield(id, ['US-IL', 'US-MA', 'US-OH', 'US-OH'][id - 1]!));
  const four = new Gazetteer({ continents: [], regions: [], places });
  t.equal(four.findCity('Springfield', 'US'), undefined);
  t.equal(four.findCity('springfield', 'US', 'US-MA')?.id, 2);
  t.equal(four.findCity('springfield', 'US', 'US-OH'), undefined);
  const section = { ...springfield(5, 'US-OH'), population: 9, isSection: true as const };
  const whole = { ...springfield(6, 'US-OH'), population: 1 };
  const two = new Gazetteer({ continents: [], regions: [], places: [section, whole] });
  t.equal(two.findCity('springfield', 'US')?.id, 6, 'a section of a place ranks last');
  t.end();
});

t.test('a region is found by its code, the code of a part, or a name in any spelling', (t) => {
  const cases = [
    ['US-CA', 'US', 'US-CA'],
    ['us-ca', 'US', 'US-CA'],
    [' CA ', 'US', 'US-CA'],
    ['California', 'US', 'US-CA'],
    ['加州', 'US', 'US-CA'],
    ['加利福尼亚州', 'US', 'US-CA'],
    ['广东省', 'CN', 'CN-GD'],
    ['GD', 'CN', 'CN-GD'],
    ['吉林', 'CN', 'CN-JL'],
    ['海南', 'CN', 'CN-HI'],
    ['西藏', 'CN', 'CN-XZ'],
    ['Inner Mongolia', 'CN', 'CN-NM'],
    ['内蒙古', 'CN', 'CN-NM'],
    ['São Paulo', 'BR', 'BR-SP'],
    ['UK-ENG', 'GB', 'GB-ENG'],
    ['US-ZZ', 'US', undefined],
    ['IN-OR', 'IN', 'IN-OD'],
    ['OR', 'IN', 'IN-OD'],
    ['FR-13', 'FR', 'FR-PAC'],
    ['Bouches-du-Rhône', 'FR', 'FR-PAC'],
    ['Shyghys Qazaqstan oblysy', 'KZ', 'KZ-63'],
    ['East Kazakhstan', 'KZ', 'KZ-63'],
    ['Krung Thep Maha Nakhon', 'TH', 'TH-10'],
    ['Bangkok', 'TH', 'TH-10'],
    ['Moscow', 'RU', 'RU-MOW'],
    ['Moscow Oblast', 'RU', 'RU-MOS'],
    ['Valenciana, Comunidad', 'ES', 'ES-VC'],
    ['Midtjylland', 'DK', 'DK-82'],
    ['Hessen', 'DE', 'DE-HE'],
    ['大阪府', 'JP', 'JP-27'],
    ['CA-ON', 'US', undefined],
    ['ZZ', 'US', undefined],
    ['Nowhere', 'US', undefined],
    ['US-CALI', 'US', undefined],
    ['', 'US', undefined],
    ['HK-HCW', 'HK', undefined],
    ['Kowloon City', 'HK', undefined],
    ['Macao', 'MO', undefined],
    ['台湾省', 'TW', undefined],
  ] as const;
  for (const [text, country, code] of cases) t.equal(gazetteer.parseRegion(text, country), code, text);
  t.end();
});

t.test('property: a written gazetteer is read unchanged, in an order independent of its input', (t) => {
  const json = toJson(gazetteer);
  t.equal(toJson(fromJson(json)), json);
  t.same(fromJson(json).placeOf(5128581), gazetteer.placeOf(5128581));
  const { continents, regions, places, areas } = gazetteer.content;
  t.same(fromJson(json).areaOf('FR'), gazetteer.areaOf('FR'));
  const reversed = {
    continents: continents.toReversed(),
    regions: regions.toReversed(),
    places: places.toReversed(),
    areas: areas!.toReversed(),
  };
  t.equal(toJson(new Gazetteer(reversed)), json);
  t.end();
});

t.test('another document is rejected', (t) => {
  const json = toJson(gazetteer);
  for (const wrong of [
    '{}',
    'null',
    json.replace('"schema":3', '"schema":2'),
    json.replace('"country":"CN"', '"country":"China"'),
    json.replace('"id":1809858', '"id":"1809858"'),
    json.replace('"kind":"city"', '"kind":"village"'),
    json.replace('"names":{', '"names":{"fr":"",'),
    json.replace('"latitude":23.11667', '"latitude":123.1'),
    json.replace('"population":16096724', '"population":-1'),
    json.replace('"radiusKm":10', '"radiusKm":0'),
  ]) {
    t.not(wrong, json);
    t.throws(() => fromJson(wrong), { name: 'ZodError' });
  }
  t.throws(() => fromJson(json.slice(0, -1)), SyntaxError);
  t.end();
});
