import t from 'tap';
import type { Claim } from '../feeds/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { BASES, rankOf, weightsOf } from './precedence.js';

t.test('the weight of a claim depends on feed, basis, country and grade', (t) => {
  const table: [FeedId, Claim, number][] = [
    ['own', { country: 'FR', basis: 'geofeed' }, 400],
    ['own', { country: 'FR', basis: 'registration' }, 30],
    ['geolite2', { country: 'FR' }, 100],
    ['geolite2', { country: 'FR', basis: 'registration' }, 30],
    ['ip2location', { country: 'CN' }, 90],
    ['ip2region', { country: 'CN' }, 90],
    ['ip2region', { country: 'HK' }, 40],
    ['qqwry', {}, 40],
    ['ipapi', { country: 'FR' }, 90],
    ['ipapi', { country: 'FR', accuracyClass: 1 }, 90],
    ['ipapi', { country: 'FR', accuracyClass: 5 }, 23],
    ['ipapi', { country: 'FR', accuracyClass: 9 }, 90],
    ['ipapi', { country: 'FR', basis: 'registration' }, 45],
    ['dbip', { country: 'FR', accuracyClass: 5 }, 100],
  ];
  for (const [feed, claim, weight] of table) {
    t.same(weightsOf(feed, claim), { country: weight, region: weight, city: weight }, JSON.stringify(claim));
  }
  t.end();
});

t.test('no two ranks are equal, and a stronger basis comes before any feed of a weaker one', (t) => {
  const ranks = BASES.flatMap((basis) => FEED_IDS.map((feed) => rankOf(feed, basis)));
  t.same(
    ranks,
    [...new Set(ranks)].sort((a, b) => a - b),
  );
  t.end();
});
