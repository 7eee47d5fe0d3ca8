import t from 'tap';
import { formatAddress } from '../net/address.js';
import { ID, truthRow, WORLD } from './testing/known-world.js';
import { resolveTruth, type Truth } from './truth.js';

function resolve(...texts: readonly string[]): Truth {
  return resolveTruth(
    texts.map((text, index) => truthRow(text, index + 1)),
    WORLD,
  );
}

t.test('a row becomes a place with ids and coordinates', (t) => {
  const { places, setAside, partly } = resolve('192.0.0.0/22,FR,FR-ARA,LYON');
  t.match(places, [
    {
      line: 1,
      family: 4,
      weight: 1024,
      country: 'FR',
      continent: 'EU',
      region: 'FR-ARA',
      cityId: ID.lyon,
      cityName: 'lyon',
      point: { latitude: 45.7485, longitude: 4.8467 },
    },
  ]);
  t.same([setAside, partly], [[], []]);
  t.end();
});

t.test('levels that a row does not name are not compared', (t) => {
  const [country, region, city] = resolve(
    '1.0.0.0/24,FR',
    '1.0.1.0/24,FR,FR-ARA',
    '1.0.2.0/24,FR,,Lyon',
  ).places;
  t.match(country, {
    country: 'FR',
    region: undefined,
    cityId: undefined,
    cityName: undefined,
    point: undefined,
  });
  t.match(region, { region: 'FR-ARA', cityId: undefined, cityName: undefined });
  t.match(city, { region: undefined, cityId: ID.lyon });
  t.end();
});

t.test('regions are first-level regions with cities in the gazetteer', (t) => {
  const cases: readonly [string, string | undefined][] = [
    ['IT,IT-MI,Milan', 'IT-25'],
    ['IT,IT-MI', 'IT-25'],
    ['GB,GB-SLG,London', 'GB-ENG'],
    ['GB,GB-SLG', 'GB-SLG'],
    ['SG,SG-04,Singapore', 'SG-04'],
    ['PE,PE-LIM', 'PE-LIM'],
    ['PE,PE-LIM,Surquillo', 'PE-LIM'],
  ];
  for (const [text, region] of cases) t.equal(resolve(`1.0.0.0/24,${text}`).places[0]?.region, region, text);
  t.end();
});

t.test('the region of a city in another region of the gazetteer is not compared, with a remark', (t) => {
  const { places, partly } = resolve('1.0.0.0/24,PE,PE-LIM,Lima');
  t.match(places, [{ region: undefined, cityId: ID.lima }]);
  t.same(partly, [{ reason: 'region is not that of the city', line: 1, excerpt: '1.0.0.0/24' }]);
  t.end();
});

t.test('a distant namesake in another region is not the city', (t) => {
  const { places, partly } = resolve('1.0.0.0/24,US,US-OH,Springfield', '1.0.1.0/24,US,US-IL,Springfield');
  t.match(places[0], { region: 'US-OH', cityId: undefined, cityName: 'springfield', point: undefined });
  t.match(places[1], { region: 'US-IL', cityId: ID.springfieldIllinois });
  t.same(partly, [{ reason: 'unknown city', line: 1, excerpt: '1.0.0.0/24' }]);
  t.end();
});

t.test('the distance from a city without coordinates is not compared, with a remark', (t) => {
  const { places, partly } = resolve('1.0.0.0/24,US,US-NJ,Cedar Knolls');
  t.match(places, [{ cityId: ID.cedarKnolls, point: undefined }]);
  t.same(partly, [{ reason: 'city has no coordinates', line: 1, excerpt: '1.0.0.0/24' }]);
  t.end();
});

t.test('the first row about a prefix counts', (t) => {
  const { places, setAside } = resolve('1.0.0.0/24,FR', '1.0.0.0/24,FR', '1.0.0.0/24,DE', '1.0.1.0/24,DE');
  t.same(
    places.map(({ line, country }) => [line, country]),
    [
      [1, 'FR'],
      [4, 'DE'],
    ],
  );
  t.same(setAside, [
    { reason: 'duplicate', line: 2, excerpt: '1.0.0.0/24' },
    { reason: 'conflict', line: 3, excerpt: '1.0.0.0/24' },
  ]);
  t.end();
});

t.test('the longest of nested prefixes applies, and the shorter one to the remaining addresses', (t) => {
  const { places, setAside } = resolve(
    '1.0.0.0/22,FR',
    '1.0.0.0/24,DE',
    '1.0.4.0/23,FR',
    '1.0.4.0/24,DE',
    '1.0.5.0/24,DE',
  );
  t.same(
    places.map(({ line, address, weight }) => [line, formatAddress(address, 4), weight]),
    [
      [1, '1.0.1.0', 768],
      [2, '1.0.0.0', 256],
      [4, '1.0.4.0', 256],
      [5, '1.0.5.0', 256],
    ],
  );
  t.same(setAside, [{ reason: 'covered', line: 3, excerpt: '1.0.4.0/23' }]);
  t.end();
});

t.test('the weight of IPv6 is in /64 networks', (t) => {
  const { places } = resolve('2a00:1450::/48,FR', '2a00:1451::/65,FR');
  t.same(
    places.map(({ family, weight }) => [family, weight]),
    [
      [6, 65536],
      [6, 0.5],
    ],
  );
  t.end();
});
