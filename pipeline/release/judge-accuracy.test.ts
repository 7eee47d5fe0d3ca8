import t from 'tap';
import type { CheckOutcome } from './figures.js';
import { ACCURACY_BOUNDS, judgeAccuracy } from './judge-accuracy.js';
import type { Scorecard } from './scorecard.js';
import { exampleScorecard } from './testing/example-release.js';

const LAST = exampleScorecard({ operators: 40 });

/** Returns the example with other shares over all networks or in the mean. */
function scored(changes: Partial<Record<'all' | 'mean', Scorecard['all']>>, sizes: Partial<Scorecard> = {}) {
  const { all, mean } = LAST;
  return { ...LAST, ...sizes, all: { ...all, ...changes.all }, mean: { ...mean, ...changes.mean } };
}

function wrong(findings: readonly CheckOutcome[]): string[] {
  return findings.filter(({ passed }) => !passed).map(({ found }) => found);
}

t.test('each share may fall by 3 points over all networks, and by 5 in the mean over operators', (t) => {
  for (const [kind, largestFall] of [
    ['all', 0.03],
    ['mean', 0.05],
  ] as const) {
    for (const key of ['country', 'region', 'cityId', 'within50Km'] as const) {
      const to = (fall: number) => scored({ [kind]: { [key]: LAST[kind][key]! - fall } });
      t.same(wrong(judgeAccuracy(to(largestFall), LAST)), [], `${kind} ${key}`);
      t.equal(wrong(judgeAccuracy(to(largestFall + 0.001), LAST)).length, 2, `${kind} ${key}`);
    }
  }
  t.match(
    ACCURACY_BOUNDS,
    /at most 3 percentage points below the last release, in the mean over operators 5/,
  );
  t.end();
});

t.test('a fall of two operators in the mean passes', (t) => {
  const few = { operators: 10 };
  const judge = (region: number) =>
    wrong(judgeAccuracy(scored({ mean: { region } }, few), { ...LAST, ...few }));
  t.same(judge(0.55), []);
  t.match(judge(0.54), [/^1,000 networks of 10 operators/, /^mean region 54\.0 %/]);
  t.end();
});

t.test('the findings name the sizes and both figures', (t) => {
  const now = scored({ mean: { cityId: 0.5 } }, { networks: 1010 });
  t.same(wrong(judgeAccuracy(now, LAST)), [
    '1,010 networks of 40 operators, 1,000 networks of 40 operators in the last release',
    'mean city 50.0 % (60.0 % in the last release)',
  ]);
  t.equal(judgeAccuracy(LAST, LAST).length, 1 + 2 * 4);
  t.end();
});

t.test('a better answer passes, and levels without statements are not compared', (t) => {
  t.same(wrong(judgeAccuracy(scored({ all: { country: 1, cityId: 1 } }), LAST)), []);
  const { country } = LAST.all;
  const onlyCountry = { ...LAST, all: { country }, mean: {} };
  t.equal(judgeAccuracy(onlyCountry, LAST).length, 2);
  t.equal(judgeAccuracy(LAST, onlyCountry).length, 2);
  t.end();
});

t.test('additional networks and operators may all be wrong, missing ones explain nothing', (t) => {
  const halved = { all: { country: LAST.all.country! / 2 } };
  t.same(wrong(judgeAccuracy(scored(halved, { networks: 2000 }), LAST)), []);
  t.equal(wrong(judgeAccuracy(scored(halved, { operators: 80 }), LAST)).length, 2);
  t.equal(wrong(judgeAccuracy(scored(halved), { ...LAST, networks: 2000 })).length, 2);
  const mean = { mean: { region: LAST.mean.region! / 2 } };
  t.same(wrong(judgeAccuracy(scored(mean, { operators: 80 }), LAST)), []);
  t.equal(wrong(judgeAccuracy(scored(mean, { networks: 2000 }), LAST)).length, 2);
  t.end();
});

t.test('scorecards of few networks or operators, and missing ones, are not compared', (t) => {
  const none = scored({ all: { country: 0 } });
  const least = { networks: 1000, operators: 3 };
  t.not(wrong(judgeAccuracy({ ...none, ...least }, { ...LAST, ...least })).length, 0);
  for (const few of [
    { networks: 999, operators: 3 },
    { networks: 1000, operators: 2 },
  ]) {
    const pairs = [
      [{ ...none, ...few }, LAST],
      [none, { ...LAST, ...few }],
    ] as const;
    for (const [now, before] of pairs) {
      t.match(judgeAccuracy(now, before), [{ passed: true, found: /^not compared: [\d,]+ networks/ }]);
    }
  }
  t.match(judgeAccuracy(LAST, undefined), [
    { passed: true, found: /^not compared: 1,000 .*, 0 networks of 0 operators in the last release$/ },
  ]);
  t.end();
});
