import t from 'tap';
import { dayOfMs, formatDay, parseDay } from './days.js';

t.test('dates and times of publishers are read as days in UTC', (t) => {
  const texts = {
    '1970-01-01': 0,
    '2026-08-22': 20_687,
    '2026-08-22 01:01:44.682352': 20_687,
    '2026-08-22T23:59:59Z': 20_687,
    '2026-08-22T10:00:00.000000': 20_687,
    '2026-08-22 10:00 UTC': 20_687,
    ' 2026-08-22T23:30:00-02:00 ': 20_688,
    '2026-08-22T01:30:00+0200': 20_686,
    '2149-06-06': 65_535,
    '2024-02-29': 19_782,
  };
  for (const [text, day] of Object.entries(texts)) t.equal(parseDay(text), day, text);
  t.end();
});

t.test('a text that is not a date gives no day', (t) => {
  const texts = [
    '',
    'today',
    '2026-02-29',
    '2026-02-30T10:00:00Z',
    '2026-13-01',
    '2026-00-10',
    '2026-08-22T25:00:00',
    '2026-08-22T10:61:00',
    '2026-08-22T10:00:00+99:00',
    '26-08-22',
    '20260822',
    '2026-8-22',
    '22/08/2026',
    'Sat Aug 22 2026',
    '2026-08-22x',
    '1787415242',
    // No claim holds them.
    '1969-12-31',
    '1970-01-01 00:30+01:00',
    '2149-06-07',
    '9999-12-31',
  ];
  for (const text of texts) t.equal(parseDay(text), undefined, text);
  t.end();
});

t.test('a time is in its UTC day, and a formatted day is read back', (t) => {
  t.equal(dayOfMs(0), 0);
  t.equal(dayOfMs(86_399_999), 0);
  t.equal(dayOfMs(86_400_000), 1);
  t.equal(dayOfMs(-1), -1);
  for (let day = 0; day < 30_000; day += 37) {
    t.equal(parseDay(formatDay(day)), day);
    t.equal(dayOfMs(day * 86_400_000 + 12_345_678), day);
  }
  t.end();
});
