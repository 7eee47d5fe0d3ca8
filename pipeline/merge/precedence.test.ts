import { createHash } from 'node:crypto';
import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import * as precedence from './precedence.js';
import { BASES, POLICY, POLICY_VERSION, rankOf, weightsOf, type Weights } from './precedence.js';

/** The same weight at every level. */
const even = (weight: number): Weights => ({ country: weight, region: weight, city: weight });

t.test('the weight of a claim is on the feed’s line, by basis, level, country and grade', (t) => {
  const { dbip, geolite2, ip2region, ipapi, qqwry } = POLICY;
  const { weight: country, region, city } = dbip.observation!;
  const graded = ipapi.observation!;
  const [best, , , , worst] = graded.percentByGrade!;
  const percentOf = (weight: number, percent: number) => even(Math.round((weight * percent) / 100));
  const table: [FeedId, Claim, Weights][] = [
    ['geolite2', { country: 'FR' }, even(geolite2.observation!.weight)],
    ['dbip', { country: 'FR' }, { country, region: region!, city: city! }],
    ['dbip', { country: 'FR', accuracyClass: 5 }, { country, region: region!, city: city! }],
    ['ip2region', { country: 'CN' }, even(ip2region.observation!.within!['CN']!)],
    ['ip2region', { country: 'HK' }, even(ip2region.observation!.weight)],
    ['qqwry', {}, even(qqwry.observation!.weight)],
    ['ipapi', { country: 'FR' }, even(graded.weight)],
    ['ipapi', { country: 'FR', accuracyClass: 1 }, percentOf(graded.weight, best)],
    ['ipapi', { country: 'FR', accuracyClass: 5 }, percentOf(graded.weight, worst)],
    ['ipapi', { country: 'FR', accuracyClass: 9 }, even(graded.weight)],
    ['ipapi', { country: 'FR', basis: 'registration' }, even(ipapi.registration!.weight)],
  ];
  for (const [feed, claim, weights] of table) {
    t.same(weightsOf(feed, claim), weights, `${feed} ${JSON.stringify(claim)}`);
  }
  t.end();
});

t.test('a change of the policy raises POLICY_VERSION', (t) => {
  const grades = [{}, ...[1, 2, 3, 4, 5].map((accuracyClass) => ({ accuracyClass }))];
  const weights = FEED_IDS.flatMap((feed) =>
    BASES.flatMap((basis) =>
      ['CN', 'FR'].flatMap((country) =>
        grades.map((grade) =>
          weightsOf(feed, { ...(basis === 'observation' ? {} : { basis }), country, ...grade }),
        ),
      ),
    ),
  );
  const numbers = Object.entries(precedence)
    .filter(([name, value]) => name !== 'POLICY_VERSION' && typeof value !== 'function')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash('sha256')
    .update(JSON.stringify([numbers, weights]))
    .digest('hex')
    .slice(0, 16);
  t.same(
    [POLICY_VERSION, digest],
    [7, '70df0a10d8f7f91b'],
    'after a change raise the version and correct both here',
  );
  t.end();
});

t.test('a basis that a feed’s line omits has the same weight for every feed', (t) => {
  for (const basis of ['override', 'geofeed', 'cloud', 'exchange', 'registration'] as const) {
    const weights = weightsOf('own', { country: 'FR', basis });
    for (const feed of FEED_IDS) {
      if (POLICY[feed][basis]) continue;
      t.same(weightsOf(feed, { country: 'FR', basis }), weights, `${feed} ${basis}`);
    }
  }
  t.end();
});

t.test(
  'an override outweighs a geofeed, a geofeed any observation, the best observation two registrations',
  (t) => {
    const registration = weightsOf('own', { basis: 'registration' }).country;
    const [override, geofeed, best] = [
      weightsOf('own', { basis: 'override' }),
      weightsOf('own', { basis: 'geofeed' }),
      weightsOf('dbip', {}),
    ];
    t.ok(override.country > geofeed.country && geofeed.country > best.country);
    t.ok(2 * registration < best.country);
    t.end();
  },
);

t.test('a claim of the lowest grade has a weight of at least 1', (t) => {
  for (const feed of FEED_IDS) {
    for (const basis of BASES) {
      const claim = basis === 'observation' ? {} : { basis };
      const { country, region, city } = weightsOf(feed, { ...claim, accuracyClass: 5 });
      t.ok(Math.min(country, region, city) >= 1, `${feed} ${basis}`);
    }
  }
  t.end();
});

t.test('ranks are distinct, and every feed of a stronger basis ranks before any of a weaker one', (t) => {
  const ranks = BASES.map((basis) => FEED_IDS.map((feed) => rankOf(feed, basis)));
  t.equal(new Set(ranks.flat()).size, BASES.length * FEED_IDS.length);
  for (let i = 1; i < ranks.length; i++) t.ok(Math.max(...ranks[i - 1]!) < Math.min(...ranks[i]!), BASES[i]!);
  t.end();
});

t.test('the lines of the policy are sorted by weight, so the more accurate feed wins equal sums', (t) => {
  const observers = FEED_IDS.filter((feed) => POLICY[feed].observation !== undefined);
  const byRank = [...observers].sort((a, b) => rankOf(a, 'observation') - rankOf(b, 'observation'));
  const weights = byRank.map((feed) => POLICY[feed].observation!.weight);
  t.same(
    weights,
    [...weights].sort((a, b) => b - a),
  );
  t.end();
});
