import t from 'tap';
import { ClaimResolver } from './claim-resolver.js';
import type { ResolvedClaim } from './resolved-claim.js';
import { EXAMPLE_PLACES } from './testing/example-places.js';
import { heaviest, vote } from './vote.js';

const resolver = new ClaimResolver(EXAMPLE_PLACES);
/** Claims of equal weight. */
const german = resolver.resolve('dbip', { country: 'DE', cityName: 'a city' })!;
const french = resolver.resolve('dbip', { country: 'FR', cityName: 'a city' })!;

t.test('of equal claims the first is the heaviest', (t) => {
  const all = (): boolean => true;
  t.equal(heaviest([german, french], { level: 'country' }, all), german);
  t.equal(heaviest([french, german], { level: 'country' }, all), french);
  t.equal(
    heaviest([german, french], { level: 'country' }, ({ country }) => country === 'FR'),
    french,
  );
  t.equal(
    heaviest([german], { level: 'country' }, () => false),
    undefined,
  );
  t.end();
});

t.test('of candidates with equal support the first wins', (t) => {
  const agree = (a: ResolvedClaim, b: ResolvedClaim): boolean => a.country === b.country;
  const question = { level: 'country', agree } as const;
  t.same(vote([german, french], question)?.winners, [german]);
  t.same(vote([french, german], question)?.winners, [french]);
  t.same(vote([german, french], question, french)?.winners, [french], 'unless a claim is decisive');
  t.equal(vote([], question), undefined);
  t.end();
});

t.test('without the least support nothing wins but a decisive claim', (t) => {
  const agree = (a: ResolvedClaim, b: ResolvedClaim): boolean => a.country === b.country;
  const { country } = german.weight;
  const question = (leastSupport: number) => ({ level: 'country', agree, leastSupport }) as const;
  t.same(vote([german, french], question(country))?.winners, [german]);
  t.equal(vote([german, french], question(country + 1)), undefined);
  t.same(vote([german, french], question(country + 1), french)?.winners, [french]);
  t.same(
    vote([german, german], question(country + 1))?.winners,
    [german, german],
    'claims that agree add up',
  );
  t.end();
});
