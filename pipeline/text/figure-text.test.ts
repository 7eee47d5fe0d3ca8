import t from 'tap';
import { ageText, figureText, sizeText } from './figure-text.js';

t.test('figures from a million on have three digits and a unit', (t) => {
  const texts: [number, string][] = [
    [0, '0'],
    [1234, '1,234'],
    [1234.567, '1,234.57'],
    [999_999, '999,999'],
    [1_000_000, '1 M'],
    [12_345_678, '12.3 M'],
    [999_949_999, '1 billion'],
    [999_400_000, '999 M'],
    [3_702_258_432, '3.7 billion'],
    [23.456e12, '23.5 trillion'],
    [10e15, '10 quadrillion'],
    [2 ** 61, '2.31 quintillion'],
    [23e21, '23000 quintillion'],
    [-12_345_678, '-12.3 M'],
  ];
  for (const [value, text] of texts) t.equal(figureText(value), text);
  t.end();
});

t.test('sizes have three digits and the largest unit that they reach', (t) => {
  const sizes = [0, 1, 999, 1000, 1234, 12_345, 999_499, 999_500, 3_400_000, 5e9, 6.7e12, 8e15];
  t.same(sizes.map(sizeText), [
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1 kB',
    '1.23 kB',
    '12.3 kB',
    '999 kB',
    '1 MB',
    '3.4 MB',
    '5 GB',
    '6.7 TB',
    '8000 TB',
  ]);
  t.end();
});

t.test('ages are rounded down to their greatest unit', (t) => {
  const ages = [0, 59, 3599, 3600, 172_799, 172_800, 1037 * 86_400].map(ageText);
  t.same(ages, ['0 min', '0 min', '59 min', '1 h', '47 h', '2 days', '1,037 days']);
  t.end();
});
