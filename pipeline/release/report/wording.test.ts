import t from 'tap';
import { duration } from '../../text/duration.js';
import { figure, figureText, sizeText } from './wording.js';

t.test('figures from a million on have three digits and a unit, and the full number as tooltip', (t) => {
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
  t.equal(figure(12_345_678).text, '<span title="12,345,678">12.3 M</span>');
  t.equal(figure(1234).text, '1,234');
  t.end();
});

t.test('time spans have two units at most', (t) => {
  const spans = [0, 0.4, 45, 59.6, 98, 3599, 3600, 7500, 90_061].map(duration);
  t.same(spans, [
    '0 s',
    '0 s',
    '45 s',
    '1 min 0 s',
    '1 min 38 s',
    '59 min 59 s',
    '1 h 0 min',
    '2 h 5 min',
    '25 h 1 min',
  ]);
  t.end();
});

t.test('sizes have the largest unit that they reach', (t) => {
  const sizes = [0, 999, 1000, 1234, 12_345, 3_400_000, 5e9, 6.7e12, 8e15];
  t.same(sizes.map(sizeText), [
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
