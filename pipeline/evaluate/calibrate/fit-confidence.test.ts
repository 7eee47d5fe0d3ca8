import t from 'tap';
import { probabilityOf, type Evidence } from '../../merge/confidence.js';
import { fitConfidence } from './fit-confidence.js';
import { fitRadius } from './fit-radius.js';
import type { Observation } from './observations.js';

const EVIDENCE: Evidence = { share: 100, voices: 1, detail: 'city', radiusKm: 20 };

/** Returns observations of one operator, of which `right` are right about the city. */
function observations(
  count: number,
  right: number,
  evidence: Partial<Evidence> = {},
  operator = 'one',
): Observation[] {
  return Array.from({ length: count }, (_, i) => ({
    operator,
    levels: { city: { evidence: { ...EVIDENCE, ...evidence }, isRight: i < right } },
    distance: { level: 'city', radiusClass: 2, km: i },
  }));
}

t.test('the probability is the share of right answers with the same evidence', (t) => {
  const points = fitConfidence(
    Array.from({ length: 20 }, (_, i) => [
      ...observations(100, 80, {}, `operator ${i}`),
      ...observations(100, 30, { radiusKm: 200 }, `operator ${i}`),
    ]).flat(),
    'city',
  );
  t.ok(Math.abs(probabilityOf(EVIDENCE, points) - 0.8) < 0.02);
  t.ok(Math.abs(probabilityOf({ ...EVIDENCE, radiusKm: 200 }, points) - 0.3) < 0.02);
  t.end();
});

t.test('less evidence is never better than more, whatever the observations', (t) => {
  const points = fitConfidence(
    [...observations(50, 50, { share: 60 }), ...observations(50, 5, { share: 100, voices: 3 }, 'two')],
    'city',
  );
  const few = probabilityOf({ ...EVIDENCE, share: 60 }, points);
  t.ok(probabilityOf({ ...EVIDENCE, share: 100, voices: 3 }, points) >= few);
  t.end();
});

t.test('a region counts only where the country is right, and operators can be left out', (t) => {
  const wrong = { evidence: EVIDENCE, isRight: false };
  const region = { evidence: { ...EVIDENCE, detail: 'region' as const }, isRight: true };
  const asked: Observation = { operator: 'one', levels: { region }, distance: undefined };
  const lost: Observation = {
    operator: 'two',
    levels: { country: wrong, region: wrong },
    distance: undefined,
  };
  const points = fitConfidence([asked, asked, lost, lost, lost], 'region');
  t.ok(probabilityOf(region.evidence, points) > 0.5);
  const left: Observation = {
    ...asked,
    operator: 'three',
    levels: { region: { ...region, isRight: false } },
  };
  const all = [asked, asked, left, left, left, left, left, left];
  t.ok(
    probabilityOf(region.evidence, fitConfidence(all, 'region')) <
      probabilityOf(region.evidence, fitConfidence(all, 'region', new Set(['three']))),
  );
  t.end();
});

t.test('the radius covers two of three distances', (t) => {
  t.match(fitRadius(observations(30, 0)), [
    { level: 'city', claimedKm: 20, distances: 30, operators: 1, radiusKm: 19, covered: 0.7 },
  ]);
  t.same(fitRadius([]), []);
  t.end();
});
