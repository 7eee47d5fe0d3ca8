import t from 'tap';
import {
  CONFIDENCE,
  percentOf,
  probabilityOf,
  RADIUS_CLASSES,
  radiusClassOf,
  STATED_CONFIDENCE,
  type ConfidencePoints,
  type Evidence,
} from './confidence.js';
import { DETAILS } from './precedence.js';
import { mergeLocation } from './location.js';
import { CITIES, EXAMPLE_PLACES } from './testing/example-places.js';

const POINTS: ConfidencePoints = {
  base: 0,
  share: [
    [60, 100],
    [100, 50],
  ],
  voices: [[2, 30]],
  detail: { registered: -100, country: 0, region: 0, city: 0 },
  radius: [0, 0, 20, 0, 0, 0, 0, -20],
};
const PLAIN: Evidence = { share: 50, voices: 1, detail: 'country', radiusKm: 40 };

t.test('the points of share, voices, detail and radius add up to a logit', (t) => {
  const cases: [Partial<Evidence>, number][] = [
    [{}, 0],
    [{ share: 60 }, 1],
    [{ share: 90 }, 1],
    [{ share: 100 }, 1.5],
    [{ voices: 2 }, 0.3],
    [{ voices: 7 }, 0.3],
    [{ detail: 'registered' }, -1],
    [{ radiusKm: 20 }, 0.2],
    [{ radiusKm: undefined }, -0.2],
    [{ share: 100, voices: 3, radiusKm: 11 }, 2],
  ];
  for (const [evidence, logit] of cases) {
    const found = probabilityOf({ ...PLAIN, ...evidence }, POINTS);
    t.ok(Math.abs(found - 1 / (1 + Math.exp(-logit))) < 1e-12, JSON.stringify(evidence));
  }
  t.end();
});

t.test('a radius belongs to the class of the next bound; wider and unknown ones to the last', (t) => {
  t.same([0.5, 5, 6, 20, 500, 501, undefined].map(radiusClassOf), [0, 0, 1, 2, 6, 7, 7]);
  t.equal(RADIUS_CLASSES.length, 7);
  t.end();
});

t.test('a confidence is 5 to 95 in fives, or 99', (t) => {
  t.same([0, 0.02, 0.074, 0.076, 0.5, 0.974, 0.976, 1].map(percentOf), [5, 5, 5, 10, 50, 95, 99, 99]);
  t.end();
});

t.test('more share and more voices never lower a confidence', (t) => {
  for (const [level, points] of Object.entries(CONFIDENCE)) {
    for (const [, step] of [...points.share, ...points.voices]) t.ok(step >= 0, level);
    t.equal(points.radius.length, RADIUS_CLASSES.length + 1, level);
    t.same(Object.keys(points.detail), DETAILS, level);
  }
  t.end();
});

t.test('a decisive claim has the confidence of its rule, and the levels below follow from it', (t) => {
  const { id, region } = CITIES.lyon as { id: number; region: string };
  const own = { country: 'FR', basis: 'geofeed' } as const;
  const geolite2 = { country: 'FR', region, cityId: id };
  const country = percentOf(STATED_CONFIDENCE.geofeed);
  t.match(mergeLocation({ own: { ...own, region } }, EXAMPLE_PLACES), {
    countryConfidence: country,
    regionConfidence: country,
  });
  const { countryConfidence, regionConfidence, cityConfidence } = mergeLocation(
    { own, geolite2 },
    EXAMPLE_PLACES,
  )!;
  t.equal(countryConfidence, country);
  t.ok(regionConfidence! < country && cityConfidence! <= regionConfidence!);
  t.end();
});
