import t from 'tap';
import { IndexedPeering, MAX_HITS, readPeering } from './peering.js';

const nets = [
  { asn: 13335, name: 'Cloudflare', aka: 'Cloud Flare', info_type: 'Content' },
  { asn: 15169, name: 'Google LLC', aka: 'Google, YouTube' },
  { asn: 64500, name: 'Network 13335 fans' },
  { asn: 64501, name: 'Zürich Köln Netz' },
];
const facs = [
  { id: 1, name: 'Equinix FR5', city: 'Frankfurt', country: 'DE' },
  { id: 2, name: 'Interxion' },
];
const search = await IndexedPeering.of({ nets, facs });

t.test('decision 38: a number finds its network with and without AS, before names that contain it', (t) => {
  for (const query of ['13335', 'AS13335', 'as13335']) {
    t.equal(search.find(query).nets[0]?.asn, 13335, query);
  }
  t.strictSame(
    search.find('13335').nets.map(({ asn }) => asn),
    [13335, 64500],
  );
  t.strictSame(search.find('99999').nets, []);
  t.end();
});

t.test('decision 38: names match anywhere, ignoring case and diacritics, alternative names too', (t) => {
  t.strictSame(search.find('YOUTUBE').nets, [nets[1]]);
  t.equal(search.find('zurich KOLN').nets[0]?.asn, 64501);
  t.equal(search.find('Zürich').nets[0]?.asn, 64501);
  t.strictSame(search.find('fr5').facs, [facs[0]]);
  t.strictSame(search.find('interxion').facs, [facs[1]]);
  t.end();
});

t.test('a query without a match gives two empty lists', (t) => {
  for (const query of ['no such name', 'google\ncloud', '\u0301\u0301', '(.*)', 'cloudflare\tx']) {
    t.strictSame(search.find(query), { nets: [], facs: [] }, JSON.stringify(query));
  }
  t.end();
});

t.test('a name does not match across two networks', (t) => {
  for (const query of ['youtube network', 'youtubenetwork']) t.strictSame(search.find(query).nets, [], query);
  t.end();
});

t.test('decision 38: at most 20 in each list', async (t) => {
  const many = await IndexedPeering.of({
    nets: Array.from({ length: 50 }, (_, i) => ({ asn: i + 1, name: `Example ${i}` })),
    facs: Array.from({ length: 50 }, (_, i) => ({ id: i + 1, name: `Example ${i}` })),
  });
  const found = many.find('example');
  t.equal(found.nets.length, MAX_HITS);
  t.equal(found.facs.length, MAX_HITS);
  t.strictSame(
    found.nets.map(({ asn }) => asn),
    Array.from({ length: MAX_HITS }, (_, i) => i + 1),
  );
});

t.test('a search agrees with a linear scan', async (t) => {
  const words = ['alpha', 'beta', 'gamma', 'delta', 'net', 'telecom'];
  const names = Array.from({ length: 200 }, (_, i) => `${words[i % 6]} ${words[(i * 7) % 5]} ${i}`);
  const all = await IndexedPeering.of({ nets: names.map((name, i) => ({ asn: i + 1, name })), facs: [] });
  for (const query of ['al', 'alpha b', 'ta', ' 19', '7', 'telecom gamma', 'a 1']) {
    const expected = names.flatMap((name, i) => (name.includes(query) ? [i + 1] : [])).slice(0, MAX_HITS);
    if (/^\d+$/.test(query)) continue;
    t.strictSame(
      all.find(query).nets.map(({ asn }) => asn),
      expected,
      query,
    );
  }
});

t.test('an empty index finds nothing', async (t) => {
  const none = await IndexedPeering.of({ nets: [], facs: [] });
  t.strictSame(none.find('any'), { nets: [], facs: [] });
});

t.test('networks and facilities are read from a file of several parts', async (t) => {
  const many = Array.from({ length: 2001 }, (_, i) => ({ id: i + 1, name: `Building ${i}` }));
  const read = await readPeering(Buffer.from(JSON.stringify({ nets, facs: many })));
  t.strictSame(read.find('google').nets, [nets[1]]);
  for (const i of [0, 1000, 2000]) t.strictSame(read.find(`Building ${i}`).facs[0], many[i]);
  await t.rejects(readPeering(Buffer.from('{"nets":[],"facs":[{"id":"one"}]}')), { name: 'ZodError' });
});
