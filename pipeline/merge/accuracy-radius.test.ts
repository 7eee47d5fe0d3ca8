import t from 'tap';
import { accuracyRadiusOf, RADIUS_KM } from './accuracy-radius.js';
import { RADIUS_CLASSES } from './confidence.js';
import { DEFAULT_RADIUS_KM } from './precedence.js';

const at = { latitude: 45.75, longitude: 4.85 };

t.test('a radius that a claim gives becomes that of its class and level', (t) => {
  for (const [level, radii] of Object.entries(RADIUS_KM) as [keyof typeof RADIUS_KM, readonly number[]][]) {
    t.equal(radii.length, RADIUS_CLASSES.length + 1, level);
    RADIUS_CLASSES.forEach((radiusKm, index) => {
      t.equal(accuracyRadiusOf(level, { ...at, radiusKm }, false), radii[index], `${level} ${radiusKm}`);
    });
    t.equal(accuracyRadiusOf(level, { ...at, radiusKm: 501 }, false), radii.at(-1));
    t.equal(accuracyRadiusOf(level, at, false), DEFAULT_RADIUS_KM[level], 'no radius');
  }
  t.end();
});

t.test('the place that an operator states keeps the radius of its coordinates', (t) => {
  t.equal(accuracyRadiusOf('city', { ...at, radiusKm: 20 }, true), 20);
  t.equal(accuracyRadiusOf('city', at, true), DEFAULT_RADIUS_KM.city);
  t.end();
});
