import t from 'tap';
import { TERMS } from '../input/published-source.js';
import { composeAreas } from './areas.js';
import { distanceKm } from './distance.js';
import type { Area, Place } from './place.js';
import { populatedCenter, type PopulatedPoint } from './populated-center.js';
import { readGazetteer } from './read-gazetteer.js';
import { fixtureFiles } from './testing/fixture-files.js';

function city(id: number, region: string, more: Partial<Place> = {}): Place {
  const place = { id, kind: 'city', continent: 'NA', country: region.slice(0, 2), names: {} } as const;
  return { ...place, ...(region.length > 2 && { region }), ...more };
}

function areasOf(cities: readonly Place[], countries = ['US', 'FR', 'XK', 'BV']): Map<string, Area> {
  return new Map(composeAreas(countries, cities).map((area) => [area.code, area]));
}

const WEST = { latitude: 40, longitude: -120, population: 100, timeZone: 'America/Los_Angeles' };
const NEAR = { latitude: 40, longitude: -119, population: 300, timeZone: 'America/Los_Angeles' };
const EAST = { latitude: 40, longitude: -75, population: 100, timeZone: 'America/New_York' };

t.test('the center of a country or region is a city in the middle of its inhabitants', (t) => {
  const areas = areasOf([city(1, 'US-A', WEST), city(2, 'US-A', NEAR), city(3, 'US-B', EAST)]);
  const nearest = { latitude: NEAR.latitude, longitude: NEAR.longitude };
  t.match(areas.get('US'), { ...nearest, radiusKm: Math.ceil(distanceKm(WEST, NEAR)!) });
  t.match(areas.get('US-A'), { ...nearest, radiusKm: 10 }, 'three of four live in the city');
  t.match(areas.get('US-B'), { latitude: 40, longitude: -75, radiusKm: 10 });
  t.end();
});

t.test('sections of cities and cities without coordinates do not count', (t) => {
  const section = city(3, 'US-A', { ...EAST, population: 10_000, isSection: true });
  const areas = areasOf([city(1, 'US-A', WEST), section, city(4, 'US-A', { population: 10_000 })]);
  t.match(areas.get('US-A'), { latitude: WEST.latitude, longitude: WEST.longitude });
  t.notOk(areasOf([section]).has('US-A'), 'no center and several time zones: no area');
  t.end();
});

t.test('a region in another country than its city is ignored', (t) => {
  t.notOk(areasOf([city(1, 'FR-ARA', { ...WEST, country: 'US' })]).has('FR-ARA'));
  t.end();
});

t.test('a country with one time zone has it; of other countries, regions whose cities agree', (t) => {
  const west = [1, 2, 3].map((id) => city(id, 'US-A', WEST));
  const both = [...[4, 5, 6].map((id) => city(id, 'US-B', EAST)), city(7, 'US-B', WEST)];
  const few = [city(8, 'US-C', EAST), city(9, 'US-C', EAST)];
  const kosovo = [10, 11, 12].map((id) => city(id, 'XK', { ...EAST, timeZone: 'Europe/Belgrade' }));
  const areas = areasOf([...west, ...both, ...few, ...kosovo, city(13, 'FR-ARA', WEST)]);
  const zones = Object.fromEntries([...areas].map(([code, { timeZone }]) => [code, timeZone]));
  t.same(zones, {
    US: undefined,
    'US-A': 'America/Los_Angeles',
    'US-B': undefined,
    'US-C': undefined,
    FR: 'Europe/Paris',
    'FR-ARA': undefined,
    XK: 'Europe/Belgrade',
    BV: undefined,
  });
  t.match(areas.get('BV'), { latitude: Number, longitude: Number, radiusKm: Number }, 'uninhabited');
  t.match(composeAreas(['FR'], []), [{ code: 'FR', timeZone: 'Europe/Paris' }], 'without any city');
  t.end();
});

t.test('property: the sum of distances to the inhabitants is near the least of all cities', (t) => {
  let seed = 7;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let round = 0; round < 50; round++) {
    const west = round % 2 === 0 ? 0 : 170;
    const points = Array.from({ length: 1 + Math.floor(random() * 60) }, () => {
      const longitude = west + random() * 30;
      const population = Math.ceil(100_000 * random() ** 3);
      return {
        latitude: random() * 60,
        longitude: longitude > 180 ? longitude - 360 : longitude,
        population,
      };
    });
    const sumOf = (center: PopulatedPoint): number =>
      points.reduce((sum, point) => sum + point.population * distanceKm(center, point)!, 0);
    const { radiusKm, ...center } = populatedCenter(points)!;
    t.ok(sumOf(center) <= 1.25 * Math.min(...points.map(sumOf)), `round ${round}`);
    const within = points.filter((point) => distanceKm(center, point)! <= radiusKm);
    const inhabitants = (some: typeof points): number => some.reduce((sum, one) => sum + one.population, 0);
    t.ok(inhabitants(within) >= (2 / 3) * inhabitants(points));
  }
  t.equal(populatedCenter([]), undefined);
  t.end();
});

t.test('both editions of the gazetteer have areas', async (t) => {
  const files = fixtureFiles();
  for (const terms of [new Set(TERMS), new Set(['free'] as const)]) {
    const gazetteer = await readGazetteer(files, terms);
    t.match(gazetteer.areaOf('FR'), { code: 'FR', timeZone: 'Europe/Paris' });
    t.match(gazetteer.areaOf('US'), { latitude: Number, longitude: Number, radiusKm: Number });
    t.notOk(gazetteer.areaOf('US')!.timeZone);
    t.match(gazetteer.areaOf('CN-GD'), { latitude: 23.11667, longitude: 113.25 });
    t.equal(gazetteer.areaOf('US-ZZ'), undefined);
  }
});
