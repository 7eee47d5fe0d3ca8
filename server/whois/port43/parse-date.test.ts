import t from 'tap';
import { parseDate } from './parse-date.js';

t.test('decision 27: dates in the formats of whois servers become ISO 8601 in UTC', (t) => {
  const dates: readonly (readonly [string, string])[] = [
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05.0Z', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05+01:00', '2026-01-02T02:04:05Z'],
    ['2026-01-02T03:04:05-0500', '2026-01-02T08:04:05Z'],
    ['2026-01-02', '2026-01-02T00:00:00Z'],
    ['2026-01-02 03:04:05', '2026-01-02T03:04:05Z'],
    ['2026-01-02 03:04:05 (GMT+0:00)', '2026-01-02T03:04:05Z'],
    ['2026-01-02 03:04:05 (UTC+8)', '2026-01-01T19:04:05Z'],
    ['2026-01-02 03:04:05 UTC', '2026-01-02T03:04:05Z'],
    ['2026-01-02 03:04:05 CLST', '2026-01-02T00:00:00Z'],
    ['2026/01/02 03:04:05 (JST)', '2026-01-01T18:04:05Z'],
    ['2026.01.02', '2026-01-02T00:00:00Z'],
    ['2026. 01. 02.', '2026-01-02T00:00:00Z'],
    ['20260102', '2026-01-02T00:00:00Z'],
    ['20260102030405', '2026-01-02T03:04:05Z'],
    ['20260102 #12345', '2026-01-02T00:00:00Z'],
    ['02-Jan-2026', '2026-01-02T00:00:00Z'],
    ['2-january-2026', '2026-01-02T00:00:00Z'],
    ['02-Jan-2026 03:04:05 UTC', '2026-01-02T03:04:05Z'],
    ['2026-Jan-02.', '2026-01-02T00:00:00Z'],
    ['31 May 1999', '1999-05-31T00:00:00Z'],
    ['January  2 2026', '2026-01-02T00:00:00Z'],
    ['January 2, 2026', '2026-01-02T00:00:00Z'],
    ['Fri Jan 2 2026', '2026-01-02T00:00:00Z'],
    ['Fri, 2 Jan 2026 03:04:05 GMT', '2026-01-02T03:04:05Z'],
    ['Fri Jan  2 03:04:05 UTC 2026', '2026-01-02T03:04:05Z'],
    ['Fri Jan  2 03:04:05 2026', '2026-01-02T03:04:05Z'],
  ];
  for (const [text, iso] of dates) t.equal(parseDate(text), iso, text);
  t.end();
});

t.test('decision 27: an invalid or ambiguous date is empty', (t) => {
  const refused = [
    '',
    'none',
    'before Aug-1996',
    '02.01.2026',
    '01/02/2026',
    '2026-13-01',
    '2026-02-30',
    '0000-00-00',
    '20261301',
    '1234567890',
    '202601021',
    'Janosch 2 2026 x',
    '2026',
    '2026-01',
    '9'.repeat(100_000),
  ];
  for (const text of refused) t.equal(parseDate(text), '', text.slice(0, 40));
  t.end();
});

t.test('reads the day first for servers known to write it so', (t) => {
  t.equal(parseDate('30.6.2006 01:02:03', { dayFirst: true }), '2006-06-30T01:02:03Z');
  t.equal(parseDate('02/01/2026', { dayFirst: true }), '2026-01-02T00:00:00Z');
  t.end();
});

t.test("a time without a zone is in the server's zone, and a date without a time is not shifted", (t) => {
  t.equal(parseDate('2026-01-02 03:04:05', { utcOffset: 480 }), '2026-01-01T19:04:05Z');
  t.equal(parseDate('2026-01-02', { utcOffset: 480 }), '2026-01-02T00:00:00Z');
  t.equal(parseDate('2026-01-02T03:04:05Z', { utcOffset: 480 }), '2026-01-02T03:04:05Z');
  t.end();
});
