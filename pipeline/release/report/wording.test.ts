import t from 'tap';
import { figure, size } from './wording.js';

t.test('figures from 10 billion on are in words, with up to three digits before the point', (t) => {
  t.equal(figure(9_999_999_999), '9,999,999,999');
  t.equal(figure(10_000_000_000), '10 billion');
  t.equal(figure(23.456e12), '23.46 trillion');
  t.equal(figure(999_999_999_999), '1 trillion');
  t.equal(figure(999_990_000_000), '999.99 billion');
  t.equal(figure(1.5e12), '1.5 trillion');
  t.equal(figure(10e15), '10 quadrillion');
  t.equal(figure(2 ** 61), '2.31 quintillion', 'the /64s of IPv6 global unicast');
  t.equal(figure(23e16), '230 quadrillion');
  t.equal(figure(23e18), '23 quintillion');
  t.equal(figure(1234), '1,234');
  t.equal(figure(1234.567), '1,234.57');
  t.end();
});

t.test('sizes have the largest unit that they reach', (t) => {
  const sizes = [0, 999, 1000, 1234, 12_345, 3_400_000, 5e9, 6.7e12, 8e15];
  t.same(sizes.map(size), [
    '0 bytes',
    '999 bytes',
    '1 kB',
    '1.2 kB',
    '12 kB',
    '3.4 MB',
    '5 GB',
    '6.7 TB',
    '8000 TB',
  ]);
  t.end();
});
