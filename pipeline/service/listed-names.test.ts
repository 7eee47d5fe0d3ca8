import t from 'tap';
import { listedNames, type ListedNames } from './listed-names.js';
import { anyHits, random, shuffled } from './testing/any-hits.js';
import { hit } from './testing/hits.js';

t.test('ISP, domain and carrier are passed through, of words that do not count too', (t) => {
  const row = hit('ip2proxy', { type: 'VPN', isp: 'Example Telecom', domain: 'example.net' });
  const carrier = hit('cn-carriers', { carrier: 'telecom' });
  const told = { isp: 'Example Telecom', domain: 'example.net', carrier: 'telecom' };
  t.same(listedNames([row, carrier]), told);
  t.same(listedNames([row, carrier, hit('operator-lists', { allow: ['*'] })]), told);
  t.same(listedNames([]), {});
  t.end();
});

t.test('what is too old names nobody; else the first list by its id does', (t) => {
  const old = hit('a', { type: 'PUB', isp: 'Old' }, { ageDays: 31 });
  t.same(listedNames([old]), {});
  const [first, second] = [hit('b', { domain: 'b.example' }), hit('c', { isp: 'C', domain: 'c.example' })];
  t.same(listedNames([second, first, old]), { isp: 'C', domain: 'b.example' });
  t.end();
});

t.test('each name is that of the first hit that has one by itself, whatever the order of the hits', (t) => {
  const next = random(7);
  let named = 0;
  for (let i = 0; i < 3_000; i++) {
    const byList = new Map(anyHits(next).map((hit) => [hit.list, hit]));
    const hits = [...byList.keys()].sort().map((list) => byList.get(list)!);
    const alone = hits.map((hit) => listedNames([hit]));
    const expected = alone.reduceRight<ListedNames>((later, names) => ({ ...later, ...names }), {});
    const names = listedNames(shuffled(hits, next));
    if (Object.keys(names).length > 0) named++;
    if (JSON.stringify(Object.entries(names).sort()) !== JSON.stringify(Object.entries(expected).sort())) {
      t.same(names, expected, JSON.stringify(hits));
    }
  }
  t.ok(named > 1_000, `${named} named somebody`);
  t.end();
});
