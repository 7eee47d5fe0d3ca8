import t from 'tap';
import { ClaimFormat } from './claim-format.js';
import { ClaimTable } from './claim-table.js';

interface Sample {
  readonly name?: string;
  readonly place?: string;
  readonly latitude?: number;
  readonly tags?: readonly string[];
  readonly isOwn?: boolean;
}

const FORMAT = new ClaimFormat<Sample>(
  { kind: 'list', databaseType: 'test' },
  { name: 'string', place: 'string', latitude: 'double', tags: 'strings', isOwn: 'boolean' },
);

t.test('equal claims have one id, whatever the order of their fields; other claims have others', (t) => {
  const table = new ClaimTable(FORMAT);
  const claims: Sample[] = [
    {},
    { name: 'a', place: 'b' },
    { name: 'b', place: 'a' },
    { name: 'a' },
    { place: 'a' },
    { name: '' },
    { latitude: 0 },
    { latitude: 0.1 },
    { latitude: -0.1 },
    { name: '0' },
    { tags: [] },
    { tags: ['a', 'b'] },
    { tags: ['a,b'] },
    { name: '["a","b"]' },
    { isOwn: true },
    { isOwn: false },
    { name: 'true' },
  ];
  const ids = claims.map((claim) => table.intern(claim));
  t.same(ids, [...claims.keys()]);
  t.same(
    claims.map((claim) => table.intern({ ...claim })),
    ids,
  );
  t.equal(table.intern({ place: 'b', name: 'a' }), 1);
  t.equal(table.intern({ latitude: -0 }), 6);
  t.equal(table.claims[1], claims[1]);
  t.end();
});

t.test('property: the ids are those of a map by the text of the claim', (t) => {
  const table = new ClaimTable(FORMAT);
  const ids = new Map<string, number>();
  for (let i = 0; i < 20_000; i++) {
    const claim: Sample = {
      ...(i % 3 > 0 && { name: `n${(i * 7) % 101}` }),
      ...(i % 5 > 0 && { latitude: ((i * 31) % 997) / 10 }),
      ...(i % 7 === 0 && { tags: [`${i % 4}`] }),
    };
    const key = JSON.stringify(claim);
    if (!ids.has(key)) ids.set(key, ids.size);
    if (table.intern(claim) !== ids.get(key)) t.fail(key);
  }
  t.equal(table.claims.length, ids.size);
  t.end();
});
