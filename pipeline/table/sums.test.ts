import t from 'tap';
import { Sums } from './sums.js';

t.test('amounts of one number add up, also while the column grows', (t) => {
  const sums = new Sums(1);
  for (const number of [0, 3, 0, 5000, 3, 4]) sums.add(number, number + 1);
  t.same(
    [0, 1, 3, 4, 5000].map((number) => sums.at(number)),
    [2, 0, 8, 5, 5001],
  );
  t.ok(sums.length > 5000);
  t.equal(sums.at(sums.length), 0, 'a number without an amount');
  t.end();
});
