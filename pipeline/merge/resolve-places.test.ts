import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import { Gazetteer, type Place } from '../gazetteer/gazetteer.js';
import { resolvePlaces } from './resolve-places.js';

function city(id: number, en: string, region: string | undefined, rest: Partial<Place> = {}): Place {
  const country = rest.country ?? region!.slice(0, 2);
  return {
    id,
    kind: 'city',
    continent: 'AS',
    country,
    region,
    names: { en },
    timeZone: `Etc/${en}`,
    ...rest,
  };
}

const gazetteer = new Gazetteer({
  continents: [],
  regions: [
    { code: 'CN-GD', country: 'CN', names: { en: 'Guangdong', 'zh-CN': '广东省' } },
    { code: 'CN-BJ', country: 'CN', names: { en: 'Beijing', 'zh-CN': '北京市' } },
    { code: 'FR-PAC', country: 'FR', names: { en: 'Provence' } },
  ],
  places: [
    { id: 1, kind: 'country', continent: 'AS', country: 'CN', names: { en: 'China', 'zh-CN': '中国' } },
    city(10, 'Guangzhou', 'CN-GD', { names: { en: 'Guangzhou', 'zh-CN': '广州市' } }),
    city(11, 'Beijing', 'CN-BJ', { names: { en: 'Beijing', 'zh-CN': '北京市' } }),
    city(12, 'Chaoyang', 'CN-GD', { latitude: 23, longitude: 113, population: 9 }),
    city(13, 'Chaoyang', 'CN-BJ', { latitude: 39.9, longitude: 116.4, population: 8 }),
    city(14, 'Marseille', 'FR-PAC'),
    city(15, 'Hong Kong', undefined, { country: 'HK', names: { en: 'Hong Kong', 'zh-CN': '香港' } }),
  ],
});
const resolve = (claim: Claim) => resolvePlaces([claim], gazetteer).claims[0];

t.test('texts become ids, and ids add region and time zone', (t) => {
  t.same(resolve({ country: 'CN', regionName: '广东', cityName: '广州', isp: 'x' }), {
    country: 'CN',
    region: 'CN-GD',
    cityId: 10,
    timeZone: 'Etc/Guangzhou',
    isp: 'x',
  });
  t.same(resolve({ country: 'CN', cityName: 'Guangzhou' }), {
    country: 'CN',
    region: 'CN-GD',
    cityId: 10,
    timeZone: 'Etc/Guangzhou',
  });
  t.same(resolve({ country: 'CN', cityId: 10 }), {
    country: 'CN',
    region: 'CN-GD',
    cityId: 10,
    timeZone: 'Etc/Guangzhou',
  });
  t.same(resolve({ country: 'FR', region: 'FR-13' }), { country: 'FR', region: 'FR-PAC' });
  t.end();
});

t.test('fields that a feed gives are kept', (t) => {
  for (const claim of [
    {},
    { country: 'CN' },
    { registeredCountry: 'CN' },
    { country: 'CN', region: 'CN-GD', cityId: 10, timeZone: 'Asia/Shanghai' },
    { country: 'FR', region: 'FR-PAC', cityId: 10, timeZone: 'Europe/Paris' },
    { country: 'CN', region: 'CN-BJ', cityId: 10, timeZone: 'Asia/Shanghai', basis: 'override' } as const,
    { country: 'CN', cityId: 999 },
    { country: 'US', region: 'US-CA' },
  ]) {
    t.equal(resolve(claim), claim, JSON.stringify(claim));
  }
  t.end();
});

t.test('the own region of a city replaces another one, unless an override states it', (t) => {
  const stated = { country: 'CN', region: 'CN-BJ' };
  t.match(resolve({ ...stated, cityId: 10 }), { region: 'CN-GD', cityId: 10 });
  const near = { regionName: 'Guangdong', cityName: 'Beijing', latitude: 39.9, longitude: 116.4 };
  const beijing = new Gazetteer({
    ...gazetteer.content,
    places: [city(11, 'Beijing', 'CN-BJ', { latitude: 39.9, longitude: 116.4 })],
  });
  const resolveThere = (claim: Claim) => resolvePlaces([claim], beijing).claims[0];
  t.match(resolveThere({ country: 'CN', ...near }), { region: 'CN-BJ', cityId: 11 });
  t.match(resolve({ ...stated, cityId: 10, basis: 'override' }), { region: 'CN-BJ', cityId: 10 });
  t.end();
});

t.test('a withdrawn region becomes its successor, and a code that ISO does not list is dropped', (t) => {
  t.same(resolve({ country: 'GT', region: 'GT-GU' }), { country: 'GT', region: 'GT-01' });
  t.same(resolve({ country: 'NO', region: 'NO-02', regionName: 'Akershus', cityName: 'Ås' }), {
    country: 'NO',
    region: 'NO-32',
    cityName: 'Ås',
  });
  for (const region of ['US-ZZ', 'NO-30', 'BM-HC'])
    t.same(resolve({ country: region.slice(0, 2), region }), { country: region.slice(0, 2) });
  t.end();
});

t.test('unresolved names keep their text', (t) => {
  t.same(resolve({ country: 'CN', regionName: 'Nowhere', cityName: 'Noplace' }), {
    country: 'CN',
    regionName: 'Nowhere',
    cityName: 'Noplace',
  });
  t.same(resolve({ country: 'CN', regionName: '广东', cityName: 'Noplace' }), {
    country: 'CN',
    region: 'CN-GD',
    cityName: 'Noplace',
  });
  t.end();
});

t.test('a city text that repeats its region or country is not a city', (t) => {
  t.same(resolve({ country: 'CN', regionName: '广东省', cityName: '广东' }), {
    country: 'CN',
    region: 'CN-GD',
  });
  t.same(resolve({ country: 'CN', cityName: '广东' }), { country: 'CN', region: 'CN-GD' });
  t.same(resolve({ country: 'CN', regionName: '中国', cityName: '中国' }), { country: 'CN' });
  t.match(resolve({ country: 'CN', regionName: '北京', cityName: '北京' }), { region: 'CN-BJ', cityId: 11 });
  t.match(resolve({ country: 'HK', regionName: 'Kowloon', cityName: '香港' }), { country: 'HK', cityId: 15 });
  t.end();
});

t.test('the coordinates of the claim decide between two places of one name', (t) => {
  const at = (latitude: number, longitude: number) =>
    resolve({ country: 'CN', cityName: 'Chaoyang', latitude, longitude })?.cityId;
  t.equal(at(39.8, 116.5), 13);
  t.equal(at(23.1, 113.2), 12);
  t.equal(at(0, 0), undefined);
  t.equal(resolve({ country: 'CN', cityName: 'Chaoyang' })?.cityId, 12, 'the one with more inhabitants');
  t.end();
});

t.test('the report counts networks by level and lists unresolved names, the most frequent first', (t) => {
  const claims: Claim[] = [
    { country: 'CN', cityName: 'Guangzhou' },
    { country: 'CN', regionName: '广东', cityName: 'Noplace', latitude: 1, longitude: 1 },
    { country: 'CN', regionName: 'Guangdong', cityName: 'Noplace', latitude: 2, longitude: 2 },
    { country: 'CN', regionName: 'Nowhere' },
    { country: 'CN', cityName: 'Elsewhere' },
    { registeredCountry: 'CN' },
  ];
  const { unresolved, report } = resolvePlaces(claims, gazetteer, [10, 2, 3, 4, 1, 7]);
  t.equal(unresolved, 4);
  t.same(report, {
    total: 27,
    levels: { city: 10, region: 5, country: 5, none: 7 },
    unresolvedRegions: [{ country: 'CN', name: 'Nowhere', count: 4 }],
    unresolvedCities: [
      { country: 'CN', region: 'CN-GD', name: 'Noplace', count: 5 },
      { country: 'CN', name: 'Elsewhere', count: 1 },
    ],
  });
  const many = Array.from({ length: 30 }, (_, i): Claim => ({ country: 'CN', cityName: `Noplace ${i}` }));
  t.equal(resolvePlaces(many, gazetteer).report.unresolvedCities.length, 20);
  t.end();
});
