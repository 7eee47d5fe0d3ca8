import t from 'tap';
import { CityColumns } from './city-columns.js';
import { spherePointOf } from './distance.js';

t.test('cities are found by id, with coordinates and point; those without coordinates are unknown', (t) => {
  const ids = [7, 2996944, 0xffff_fff0];
  const coordinates = Float64Array.of(-0.25, 0, NaN, NaN, 45.75, 4.85);
  const cities = new CityColumns(Uint32Array.from(ids), coordinates);
  t.equal(cities.numberOf(2996944), undefined);
  for (const [number, latitude, longitude] of [
    [0, -0.25, 0],
    [2, 45.75, 4.85],
  ] as const) {
    t.equal(cities.numberOf(ids[number]!), number);
    t.same(cities.readPosition(number, { latitude: 1, longitude: 1 }), { latitude, longitude });
    const point = { x: 0, y: 0, z: 0 };
    t.equal(cities.readPoint(number, point), point);
    t.strictSame(point, spherePointOf({ latitude, longitude }));
  }
  t.end();
});
