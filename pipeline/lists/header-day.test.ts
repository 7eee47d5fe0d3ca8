import t from 'tap';
import { formatDay } from './days.js';
import { headerDay } from './header-day.js';

const dayOf = (comment: string): string | undefined => {
  const day = headerDay(comment);
  return day === undefined ? undefined : formatDay(day);
};

t.test('a date is read in every format of lists', (t) => {
  t.equal(dayOf('# Last update: 2026-08-22 01:01:44.682352'), '2026-08-22');
  t.equal(
    dayOf('# Last update: Sat Apr 19 2025 01:00:44 GMT+0000 (Coordinated Universal Time)'),
    '2025-04-19',
  );
  t.equal(dayOf('# Last update: Sat, 20 Sep 2025 03:02:45 +0200'), '2025-09-20');
  t.equal(dayOf('; Updated on: 2026-08-22T01:01:44Z '), '2026-08-22');
  t.end();
});

t.test('the day is in UTC', (t) => {
  t.equal(dayOf('# Last update: Sat, 20 Sep 2025 01:02:45 +0200'), '2025-09-19');
  t.equal(dayOf('# Last update: Sat Apr 19 2025 23:00:44 GMT-0500 (Colombia Standard Time)'), '2025-04-20');
  t.equal(dayOf('# Last update: Mon, 1 Sep 2025 00:00:00 +0000'), '2025-09-01');
  t.end();
});

t.test('an invalid date, or a day that a claim cannot store, is ignored', (t) => {
  for (const comment of [
    '# IP\tnumber of (black)lists',
    '# Last update: yesterday',
    '# Last update: Sat, 31 Feb 2025 03:02:45 +0200',
    '# Last update: Sat, 20 Foo 2025 03:02:45 +0200',
    '# Last update: Sat Apr 19 2025 25:00:44 GMT+0000',
    '# Last update: 1969-12-31',
    '# Last update: 2150-01-01',
    'Last update: 2026-08-22',
    '#',
  ]) {
    t.equal(dayOf(comment), undefined, comment);
  }
  t.end();
});
