import { createHash } from 'node:crypto';
import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { RADIUS_KM } from './accuracy-radius.js';
import { CONFIDENCE, RADIUS_CLASSES, STATED_CONFIDENCE } from './confidence.js';
import * as precedence from './precedence.js';
import {
  BASES,
  LEAST_PLACE_WEIGHT,
  POLICY,
  POLICY_VERSION,
  rankOf,
  type Detail,
  type Weights,
} from './precedence.js';
import { weightsOf } from './weights.js';

const DETAILS = ['registered', 'country', 'region', 'city'] as const satisfies readonly Detail[];

t.test('the weight of a claim is on the feed’s line, by basis, detail, country and grade', (t) => {
  const { geolite2, ip2region, ipapi, qqwry } = POLICY;
  const line = geolite2.observation!;
  const home = ip2region.observation!.within!['CN']!;
  const graded = ipapi.observation!;
  const percentOf = ({ country, region, city }: typeof graded, at: number, percent = 100): Weights => ({
    country: Math.round((country[at]! * percent) / 100),
    region: Math.round((region * percent) / 100),
    city: Math.round((city * percent) / 100),
  });
  const [best, , , , worst] = graded.percentByGrade!;
  const table: [FeedId, Claim, Detail, Weights][] = [
    ['geolite2', { country: 'FR' }, 'registered', percentOf(line, 0)],
    ['geolite2', { country: 'FR' }, 'country', percentOf(line, 1)],
    ['geolite2', { country: 'FR' }, 'region', percentOf(line, 2)],
    ['geolite2', { country: 'FR', accuracyClass: 5 }, 'city', percentOf(line, 3)],
    ['ip2region', { country: 'CN' }, 'city', percentOf(home, 3)],
    ['ip2region', { country: 'HK' }, 'city', percentOf(ip2region.observation!, 3)],
    ['qqwry', {}, 'country', percentOf(qqwry.observation!, 1)],
    ['ipapi', { country: 'FR' }, 'city', percentOf(graded, 3)],
    ['ipapi', { country: 'FR', accuracyClass: 1 }, 'city', percentOf(graded, 3, best)],
    ['ipapi', { country: 'FR', accuracyClass: 5 }, 'country', percentOf(graded, 1, worst)],
    ['ipapi', { country: 'FR', accuracyClass: 9 }, 'region', percentOf(graded, 2)],
    ['ipapi', { country: 'FR', basis: 'registration' }, 'registered', percentOf(ipapi.registration!, 0)],
  ];
  for (const [feed, claim, detail, weights] of table) {
    t.same(weightsOf(feed, claim, detail), weights, `${feed} ${JSON.stringify(claim)} ${detail}`);
  }
  t.end();
});

t.test('a change of the policy raises POLICY_VERSION', (t) => {
  const grades = [{}, ...[1, 2, 3, 4, 5].map((accuracyClass) => ({ accuracyClass }))];
  const weights = FEED_IDS.flatMap((feed) =>
    BASES.flatMap((basis) =>
      ['CN', 'FR', 'US'].flatMap((country) =>
        grades.flatMap((grade) =>
          DETAILS.map((detail) =>
            weightsOf(feed, { ...(basis === 'observation' ? {} : { basis }), country, ...grade }, detail),
          ),
        ),
      ),
    ),
  );
  const numbers = Object.entries(precedence)
    .filter(([name, value]) => name !== 'POLICY_VERSION' && typeof value !== 'function')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash('sha256')
    .update(JSON.stringify([numbers, weights, CONFIDENCE, RADIUS_CLASSES, STATED_CONFIDENCE, RADIUS_KM]))
    .digest('hex')
    .slice(0, 16);
  t.same(
    [POLICY_VERSION, digest],
    [17, 'cbb2ce5c6cfa2773'],
    'after a change raise the version and correct both here',
  );
  t.end();
});

t.test('a basis that a feed’s line omits has the same weight for every feed', (t) => {
  for (const basis of ['override', 'geofeed', 'cloud', 'exchange', 'registration'] as const) {
    for (const detail of DETAILS) {
      const weights = weightsOf('own', { country: 'FR', basis }, detail);
      for (const feed of FEED_IDS) {
        if (POLICY[feed][basis]) continue;
        t.same(weightsOf(feed, { country: 'FR', basis }, detail), weights, `${feed} ${basis} ${detail}`);
      }
    }
  }
  t.end();
});

t.test('an override outweighs a geofeed, a geofeed any observation', (t) => {
  const [override, geofeed] = (['override', 'geofeed'] as const).map((basis) =>
    weightsOf('own', { basis }, 'country'),
  );
  const best = FEED_IDS.map((feed) => weightsOf(feed, { country: 'CN' }, 'city'));
  for (const level of ['country', 'region', 'city'] as const) {
    t.ok(override![level] > geofeed![level]);
    t.ok(geofeed![level] > Math.max(...best.map((weights) => weights[level])));
  }
  t.end();
});

t.test('a city by GeoLite2 outweighs the registrations of all feeds, which are one voice', (t) => {
  const voices = FEED_IDS.map((feed) => weightsOf(feed, { country: 'FR' }, 'registered').country);
  const { country } = weightsOf('geolite2', { country: 'FR' }, 'city');
  t.ok(country > Math.max(...voices));
  t.end();
});

t.test('a place by one Chinese feed alone is decided inside China only', (t) => {
  const [ip2region, qqwry] = (['ip2region', 'qqwry'] as const).map((feed) => ({
    abroad: weightsOf(feed, { country: 'US' }, 'city'),
    home: weightsOf(feed, { country: 'CN' }, 'city'),
  }));
  for (const level of ['region', 'city'] as const) {
    t.ok(Math.max(ip2region!.abroad[level], qqwry!.abroad[level]) < LEAST_PLACE_WEIGHT);
    t.ok(ip2region!.abroad[level] + qqwry!.abroad[level] >= LEAST_PLACE_WEIGHT);
    t.ok(Math.min(ip2region!.home[level], qqwry!.home[level]) >= LEAST_PLACE_WEIGHT);
  }
  t.end();
});

t.test('a claim of the lowest grade has a weight of at least 1', (t) => {
  for (const feed of FEED_IDS) {
    for (const basis of BASES) {
      const claim = basis === 'observation' ? {} : { basis };
      for (const detail of DETAILS) {
        const { country, region, city } = weightsOf(feed, { ...claim, accuracyClass: 5 }, detail);
        t.ok(Math.min(country, region, city) >= 1, `${feed} ${basis} ${detail}`);
      }
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

t.test(
  'the lines of the policy are sorted by the weight on places, so the more accurate feed wins equal sums',
  (t) => {
    const observers = FEED_IDS.filter((feed) => POLICY[feed].observation !== undefined);
    const byRank = [...observers].sort((a, b) => rankOf(a, 'observation') - rankOf(b, 'observation'));
    const weights = byRank.map((feed) => POLICY[feed].observation!.city);
    t.same(
      weights,
      [...weights].sort((a, b) => b - a),
    );
    t.end();
  },
);
