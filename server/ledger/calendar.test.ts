import t from 'tap';
import { Calendar, daysUpTo } from './calendar.js';

const seconds = (iso: string): number => Date.parse(iso) / 1000;
const at = (timeZone: string, iso: string) => new Calendar(timeZone, () => Date.parse(iso)).today();

t.test('decision 4: day, month, next hour and next midnight follow the time zone', (t) => {
  t.same(at('UTC', '2026-11-21T10:20:30Z'), {
    day: '20261121',
    month: '202611',
    hour: seconds('2026-11-21T10:00:00Z'),
    nextHour: seconds('2026-11-21T11:00:00Z'),
    nextMidnight: seconds('2026-11-22T00:00:00Z'),
  });
  t.match(at('Asia/Shanghai', '2026-12-31T16:00:00Z'), {
    day: '20270101',
    month: '202701',
    nextMidnight: seconds('2027-01-01T16:00:00Z'),
  });
  t.match(at('Asia/Kathmandu', '2026-11-21T10:20:30Z'), {
    hour: seconds('2026-11-21T10:15:00Z'),
    nextMidnight: seconds('2026-11-21T18:15:00Z'),
  });
  t.end();
});

t.test('decision 4: days of 23 and 25 hours end at midnight, also where clocks change at midnight', (t) => {
  const cases: [string, string, string][] = [
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z'],
    ['Africa/Cairo', '2026-04-23T10:00:00Z', '2026-04-23T22:00:00Z'],
    ['America/Havana', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
  ];
  for (const [zone, now, midnight] of cases) {
    t.equal(at(zone, now).nextMidnight, seconds(midnight), `${zone} ${now}`);
  }
  const first = at('Europe/Berlin', '2026-10-25T00:10:00Z');
  const second = at('Europe/Berlin', '2026-10-25T01:10:00Z');
  t.not(first.hour, second.hour, 'the repeated hour from two to three is two hours');
  t.end();
});

t.test('a calendar follows the clock forwards and backwards', (t) => {
  let now = Date.parse('2026-11-30T23:59:59.999Z');
  const calendar = new Calendar('UTC', () => now);
  t.equal(calendar.today().day, '20261130');
  t.equal(calendar.today(), calendar.today(), 'the result is reused');
  now += 1;
  t.match(calendar.today(), { day: '20261201', month: '202612' });
  now -= 1;
  t.equal(calendar.today().day, '20261130');
  t.throws(() => new Calendar('Mars/Olympus'), RangeError);
  t.end();
});

t.test('counts days back over months and leap days', (t) => {
  t.same(daysUpTo('20280302', 4), ['2028-02-28', '2028-02-29', '2028-03-01', '2028-03-02']);
  t.equal(daysUpTo('20261121', 30).length, 30);
  t.end();
});

t.test('the end of a day is midnight of the time zone', (t) => {
  const endOf = (timeZone: string, date: string) => {
    const ms = new Calendar(timeZone).endOf(date);
    return ms === undefined ? undefined : new Date(ms).toISOString();
  };
  t.equal(endOf('UTC', '2027-01-31'), '2027-02-01T00:00:00.000Z');
  t.equal(endOf('Asia/Shanghai', '2027-01-31'), '2027-01-31T16:00:00.000Z');
  t.equal(endOf('Pacific/Kiritimati', '2027-01-31'), '2027-01-31T10:00:00.000Z');
  t.equal(endOf('Etc/GMT+12', '2027-01-31'), '2027-02-01T12:00:00.000Z');
  t.equal(endOf('Pacific/Apia', '2011-12-30'), undefined, 'a day that Samoa skipped');
  for (const text of ['2027-02-30', '2027-13-01', '27-01-31', '2027-1-31', '', 'x'])
    t.equal(endOf('UTC', text), undefined, text);
  t.end();
});
