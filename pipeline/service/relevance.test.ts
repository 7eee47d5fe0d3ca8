import t from 'tap';
import { decideService } from './decide-service.js';
import { relevantClaim, relevantSurroundings } from './relevance.js';
import type { Hit, Surroundings } from './service.js';
import { anyHits, anySurroundings, random } from './testing/any-hits.js';
import { hit } from './testing/hits.js';

const TRIALS = 10_000;
const UNKNOWN: Surroundings = { asn: undefined, networkType: undefined };

function decided(hits: readonly Hit[], surroundings: Surroundings): string {
  return JSON.stringify(decideService(hits, surroundings));
}

t.test('hits come to the same in the surroundings that are looked at', (t) => {
  const next = random(5);
  let [shortened, different] = [0, 0];
  for (let i = 0; i < TRIALS; i++) {
    const [hits, all] = [anyHits(next), anySurroundings(next)];
    const relevant = relevantSurroundings(all);
    const [verdict, expected] = [decided(hits, relevant), decided(hits, all)];
    if (verdict !== expected) t.equal(verdict, expected, JSON.stringify({ all, hits }));
    if (relevant.asn !== all.asn || relevant.networkType !== all.networkType) shortened++;
    if (decided(hits, UNKNOWN) !== expected) different++;
  }
  t.ok(shortened > TRIALS / 10, `something was left out ${shortened} times`);
  t.ok(different > TRIALS / 100, `surroundings made a difference ${different} times`);
  t.end();
});

t.test('hits come to the same with what is looked at of their claims', (t) => {
  const next = random(6);
  let [shortened, different] = [0, 0];
  for (let i = 0; i < TRIALS; i++) {
    const [hits, surroundings] = [anyHits(next), anySurroundings(next)];
    const relevant = hits.map((hit) => ({ ...hit, claim: relevantClaim(hit.claim) }));
    const [verdict, expected] = [decided(relevant, surroundings), decided(hits, surroundings)];
    if (verdict !== expected) t.equal(verdict, expected, JSON.stringify({ surroundings, hits }));
    if (JSON.stringify(relevant) !== JSON.stringify(hits)) shortened++;
    if (decided(relevant.slice(1), surroundings) !== expected) different++;
  }
  t.ok(shortened > TRIALS / 10, `something was left out ${shortened} times`);
  t.ok(different > TRIALS / 10, `hits made a difference ${different} times`);
  t.end();
});

t.test('an AS is looked at where brands rent hosting, a type of network where it tells a usage', (t) => {
  t.same(relevantSurroundings({ asn: 9009, networkType: 'NSP' }), { asn: 9009, networkType: 'NSP' });
  t.same(relevantSurroundings({ asn: 4134, networkType: 'Content' }), UNKNOWN);
  t.end();
});

t.test('of two words of one list and day names do not change which goes first', (t) => {
  const hits = (first: string, second: string): Hit[] => [
    hit('spamhaus', { isp: first, type: 'VPN', provider: 'Oxylabs' }),
    hit('spamhaus', { isp: second, type: 'VPN', provider: 'Webshare' }),
  ];
  t.equal(decided(hits('A', 'B'), UNKNOWN), decided(hits('B', 'A'), UNKNOWN));
  t.end();
});
