import t from 'tap';
import { KnownColumns } from './columns-read.js';

t.test('what was read of a row is found by its number; equal results have equal numbers', (t) => {
  const interned: object[] = [];
  const columns = new KnownColumns<{ city?: string }>({
    intern: (claim) => {
      const held = interned.findIndex((one) => JSON.stringify(one) === JSON.stringify(claim));
      return held < 0 ? interned.push(claim) - 1 : held;
    },
  });
  const rows = [
    { claim: {} },
    { claim: { city: 'a' } },
    { claim: { city: 'b' } },
    { claim: { city: 'b' }, notes: ['coordinates'] },
    { claim: {}, notes: ['coordinates'] },
    { claim: { city: 'b' }, notes: ['coordinates', 'unknown'] },
  ] as const;
  const numbers = rows.map((row) => columns.number(row));
  t.equal(new Set(numbers).size, rows.length);
  t.same(
    rows.map((row) => columns.number(row)),
    numbers,
  );
  t.same(
    numbers.map((number) => [columns.claimIdOf(number), columns.notesOf(number)]),
    [
      [undefined, []],
      [0, []],
      [1, []],
      [1, ['coordinates']],
      [undefined, ['coordinates']],
      [1, ['coordinates', 'unknown']],
    ],
  );
  t.end();
});
